import { speak10 } from './dialect10.ts'
import type { DemoPart, Respond, Step } from './task.ts'
import { serve, type DemoAgent, type DemoOptions, type Json } from './wire.ts'

/** An A2A 1.0 agent that asks for the base branch and then reviews a diff. */
export function startCodeReviewer(options: DemoOptions = {}): Promise<DemoAgent> {
  return serve((url) => ({ card: codeReviewerCard(url), handle: speak10(review, options) }), options)
}

function codeReviewerCard(url: string): Json {
  return {
    name: 'code-reviewer',
    description: 'Reviews a unified diff against a base branch and returns findings with file and line.',
    supportedInterfaces: [
      { url: `${url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    provider: { url: 'https://review.example.com', organization: 'Developer Tools' },
    version: '0.9.4',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain', 'text/x-diff'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'review-diff',
        name: 'Review a diff',
        description: 'Compare a diff with its base branch and report risky changes.',
        tags: ['review', 'diff'],
        examples: ['Review this diff of payments-api'],
        inputModes: ['text/x-diff', 'text/plain'],
      },
      {
        id: 'answer-question',
        name: 'Answer a review question',
        description: 'Answer a short question about what this reviewer checks.',
        tags: ['review', 'faq'],
      },
    ],
  }
}

const review: Respond = ({ said, given }) => {
  const diff = diffOf(given)
  if (diff === undefined) {
    return 'I check diffs for risky changes and for test names that hide what they check. Send me a diff.'
  }
  const base = said.length > 1 ? said.at(-1)?.trim() : undefined
  return base
    ? compare(diff, base)
    : [{ state: 'input-required', text: 'Which base branch should I compare this diff against?' }]
}

function diffOf(parts: DemoPart[]): string | undefined {
  for (const part of parts) {
    if ('raw' in part) return Buffer.from(part.raw, 'base64').toString('utf8')
    if ('text' in part && /^@@ /m.test(part.text)) return part.text
  }
  return undefined
}

interface ReviewFinding {
  file: string
  line: number
  severity: 'low'
  finding: string
}

function* compare(diff: string, base: string): Iterable<Step> {
  yield { state: 'working', text: `Comparing the diff against ${base}` }
  const findings = findIn(diff)
  const count = findings.length === 1 ? '1 finding' : `${findings.length || 'no'} findings`
  const where = findings[0] ? ` in ${findings[0].file}` : ''
  yield {
    artifact: {
      artifactId: 'review',
      name: 'review.json',
      parts: [{ text: `${count}${where}` }, { data: { base, findings }, mediaType: 'application/json' }],
    },
  }
  yield { state: 'completed', text: count }
}

/** Finds tests about amounts whose names do not say how they round. */
function findIn(diff: string): ReviewFinding[] {
  const findings: ReviewFinding[] = []
  let file = ''
  let line = 0
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)/.exec(text)
    if (text.startsWith('+++ ')) file = text.slice(4).replace(/^b\//, '')
    // These diffs come without context lines, so the old lines are counted from the header.
    else if (hunk) line = Number(hunk[2]) + Number(hunk[1] ?? 1)
    else if (text.startsWith('+')) {
      if (/def test_\w*(cents|amount)/.test(text)) {
        const finding = 'The test name does not say which rounding rule it checks.'
        findings.push({ file, line, severity: 'low', finding })
      }
      line += 1
    }
  }
  return findings
}
