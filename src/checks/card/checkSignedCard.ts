import type { Subject } from '../../agent/subject.ts'
import type { CardObject } from '../../card/types.ts'
import type { SignatureOptions, SignatureResult } from '../../card/signatures/types.ts'
import { systemClock } from '../../core/clock.ts'
import { A2AUsageError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Verdict } from '../verdict.ts'
import { failing, verdictOn, type DeadlineOption, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult, tried, type SubjectCard } from './cardOf.ts'
import { count, isRecord, listed, quote } from '../phrases.ts'

export type { SignatureOptions }

/**
 * Checks the signatures of the agent's card. Fails if too few are valid; is inconclusive if missing keys
 * could change that. Throws A2AUsageError `BAD_OPTIONS` for invalid keys.
 */
export async function checkSignedCard(
  subject: Subject,
  [options = {}]: readonly [options?: SignatureOptions & DeadlineOption],
  { signal }: { signal: AbortSignal },
): Promise<Verdict> {
  const { secret, minimum = 1 } = options
  // Loaded with the first signature.
  const { badOrigins, checkSignatures } = await import('../../card/signatures/checkSignatures.ts')
  const [wrong] = badOrigins(options)
  if (wrong !== undefined) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `the option allowJku has ${quote(wrong)}, which is not an origin.`,
      {
        fix: "Pass origins such as 'https://keys.example.com'.",
      },
    )
  }
  const required = minimum === 1 ? 'a valid signature' : `at least ${count(minimum, 'valid signature')}`
  const verdict = await verdictOn(subject, `an agent card with ${required}`, async () => {
    const found = await cardOf(subject)
    const read = cardOrResult(found)
    if ('result' in read) return read.result
    const { shape } = found.report
    const { agent } = subject.kind === 'agent' ? subject : {}
    const results = await checkSignatures(
      {
        raw: documentOf(subject, found),
        card: read.card,
        ...(shape.kind === 'card' && { version: shape.version }),
        ...(agent !== undefined && {
          cardUrl: found.discovery?.found?.url ?? agent.url,
          fetchJson: (url, about) => agent.fetchJson(url, { ...about, signal }),
        }),
        now: systemClock.now(),
      },
      options,
    )
    return { ...tried(found.discovery), ...judge(results, minimum, typ(found)) }
  })
  return typeof secret === 'string' ? { ...verdict, secrets: [...verdict.secrets, secret] } : verdict
}

/** The card's JSON as served or passed: what was signed, before any tolerant reading. */
function documentOf(subject: Subject, { discovery, report }: SubjectCard): CardObject {
  const document = subject.kind === 'card' ? subject.card : discovery?.found?.json
  return isRecord(document) ? document : (report.card ?? {})
}

/** A signature without `typ` is valid, but some verifiers reject it. */
function typ({ report }: SubjectCard): Finding[] {
  return report.findings.filter(({ id }) => id === 'card/signature-typ')
}

function judge(results: readonly SignatureResult[], minimum: number, typ: readonly Finding[]): CheckResult {
  if (results.length === 0) {
    return failing('card/unsigned', 'the card is not signed', {
      fix: 'Sign the card, and serve the signature in `signatures`.',
    })
  }
  const valid = results.filter(({ state }) => state === 'valid')
  const undecided = results.filter(({ state }) => state === 'undecided')
  const all = results.flatMap(({ findings }) => findings)
  if (valid.length >= minimum) {
    const paths = new Set(valid.map(({ path }) => `${path}.protected`))
    const findings = [...typ.filter(({ path = '' }) => paths.has(path)), ...all.map(asWarning)]
    return { outcome: 'passed', received: tally(results, valid), findings }
  }
  if (valid.length + undecided.length < minimum) {
    return { outcome: 'failed', received: tally(results, valid), findings: all }
  }
  return {
    outcome: 'error',
    received: `${tally(results, valid)}; could not be checked: ${listed(undecided.map(({ path }) => path))}`,
    findings: all,
  }
}

/** Key rotation may leave an invalid signature next to valid ones. */
function asWarning(finding: Finding): Finding {
  return finding.level === 'error' ? { ...finding, level: 'warning' } : finding
}

function tally(results: readonly SignatureResult[], valid: readonly SignatureResult[]): string {
  const signatures = `a card with ${count(results.length, 'signature')}`
  if (valid.length === 0) return `${signatures}, none known to be valid`
  return `${signatures}, valid: ${listed(valid.map(({ path, label }) => `${path} (${label})`))}`
}
