import type { A2AError } from '../core/errors.ts'
import type { Finding, Level } from '../findings/types.ts'
import type { Exchange } from '../http/types.ts'
import type { Outcome, Verdict } from '../checks/verdict.ts'
import { cut, printable } from './body.ts'
import { conversationBlocks, runBlocks } from './conversation.ts'
import { attemptLines, exchangeLines, secretsOf } from './exchanges.ts'
import { redact } from '../core/redact.ts'

/** How a matcher was called and what the runner offers for colours. */
export interface CallInfo {
  /** `toReply`. */
  matcher: string
  /** What stands in `expect(…)`: `agent`, `card`, `reply`. Default `agent`. */
  subject?: string
  /** The arguments as written, for the first line. */
  args?: string
  isNot?: boolean
  /** `resolves` or `rejects` where they were used. */
  promise?: string
  /** The runner's colours; every one of them may be missing. */
  utils?: {
    RECEIVED_COLOR?: (text: string) => string
    EXPECTED_COLOR?: (text: string) => string
    DIM_COLOR?: (text: string) => string
  }
}

/** What is known besides an error. */
export interface ErrorContext {
  /** Who was asked: `Echo Desk (http://127.0.0.1:4100)`. */
  agent?: string
  /** Completes "Expected: …", for an error that fails the agent. */
  expected?: string
  exchanges?: readonly Exchange[]
  excerpts?: readonly { label: string; text: string }[]
  secrets?: readonly string[]
  /** Fix, where the error has none. */
  fix?: string
  /** Default `error`. */
  outcome?: Outcome
}

const mostFindings = 20
const marks: Record<Level, string> = { error: '✗', warning: '!', note: '·' }
const weight: Record<Level, number> = { error: 0, warning: 1, note: 2 }

/** The text of a verdict that makes a matcher fail or throw; see `docs/runners.md` for its layout. */
export function formatVerdict(verdict: Verdict, call: CallInfo): string {
  const { utils } = call
  const secrets = [...verdict.secrets, ...secretsOf(verdict.exchanges)]
  const clean = (text: string): string => printable(redact(text, secrets))
  const polarity = call.isNot === true ? 'not ' : ''
  const attempts = verdict.attempts ?? []
  const others = verdict.exchanges.filter((exchange) => !attempts.some((each) => each.exchange === exchange))
  // The finding that is all that was received would only say the same again: its id is enough.
  const main = verdict.findings.find(({ message }) => message === verdict.received)
  const sections = [
    header(verdict.outcome === 'passed' ? 'failed' : verdict.outcome, call),
    labelled([
      ['Agent', clean(verdict.agent)],
      ['Expected', clean(`${polarity}${verdict.expected}`), utils?.EXPECTED_COLOR],
      ['Received', withId(clean(verdict.received), main?.id), utils?.RECEIVED_COLOR],
      ['Fix', clean(verdict.fix ?? main?.fix ?? '')],
    ]),
    findingLines(
      verdict.findings.filter((finding) => finding !== main && !toldOfCriteria(verdict, finding)),
      clean,
    ).join('\n'),
    ...conversationSections(verdict, clean),
    ...excerptSections(verdict.excerpts ?? [], clean),
    attempts.length === 0 ? '' : dim(['Card locations tried', ...attemptLines(attempts)].join('\n'), call),
    others.length === 0 ? '' : dim(['Exchanges', ...exchangeLines(others, secrets)].join('\n'), call),
  ]
  return finish(sections, secrets)
}

/** The text of an error that kept a check from a verdict, or that is the agent's own fault (`outcome: 'failed'`). */
export function formatError(error: A2AError, call: CallInfo, context: ErrorContext = {}): string {
  const { utils } = call
  const { exchanges = [], excerpts = [], outcome = 'error' } = context
  const secrets = [...(context.secrets ?? []), ...secretsOf(exchanges)]
  const clean = (text: string): string => printable(redact(text, secrets))
  const said = clean(
    error.message.trim() === '' ? `${error.name} ${error.code}, without a text` : error.message,
  )
  const sections = [
    header(outcome, call),
    labelled([
      ['Agent', clean(context.agent ?? '')],
      [
        'Expected',
        clean(
          context.expected === undefined ? '' : `${call.isNot === true ? 'not ' : ''}${context.expected}`,
        ),
      ],
      [outcome === 'failed' ? 'Received' : 'Error', withId(said, idOf(error)), utils?.RECEIVED_COLOR],
      ['Fix', clean(error.fix ?? context.fix ?? '')],
    ]),
    ...excerptSections(excerpts, clean),
    exchanges.length === 0 ? '' : dim(['Exchanges', ...exchangeLines(exchanges, secrets)].join('\n'), call),
  ]
  return finish(sections, secrets)
}

/** The call as a user would write it: `expect(agent).not.toReply("hi")`. */
export function callText(call: CallInfo, paint: (text: string) => string = (text) => text): string {
  const promise = call.promise === undefined || call.promise === '' ? '' : `.${call.promise}`
  const not = call.isNot === true ? '.not' : ''
  return `expect(${paint(call.subject ?? 'agent')})${promise}${not}.${call.matcher}(${call.args ?? ''})`
}

function header(outcome: Outcome, call: CallInfo): string {
  return `[${outcome}] ${callText(call, call.utils?.RECEIVED_COLOR)}`
}

/** The id behind the first line, where the ids of findings stand too. */
function withId(text: string, id: string | undefined): string {
  return id === undefined ? text : text.replace(/$/m, () => `   ${id}`)
}

/** Which finding an error is, when it is the agent's fault. */
function idOf(error: A2AError): string | undefined {
  return (error as { finding?: string }).finding
}

type Row = [label: string, text: string, paint?: ((text: string) => string) | undefined]

/** `Expected: …` and `Received: …` below each other, further lines indented to the same column. */
function labelled(rows: readonly Row[]): string {
  const present = rows.filter(([, text]) => text !== '')
  const width = Math.max(0, ...present.map(([label]) => label.length)) + 2
  return present
    .map(([label, text, paint = (each: string) => each]) => {
      const [first = '', ...rest] = text.split('\n')
      const lines = [paint(first), ...rest.map((line) => `${' '.repeat(width)}${paint(line)}`)]
      return `${`${label}:`.padEnd(width)}${lines.join('\n')}`
    })
    .join('\n')
}

/** Worst first, one line each, the fix indented below it. */
function findingLines(findings: readonly Finding[], clean: (text: string) => string): string[] {
  const sorted = [...findings].sort((a, b) => weight[a.level] - weight[b.level])
  const lines = sorted.slice(0, mostFindings).flatMap((finding) => {
    const place = finding.path === undefined ? '' : `${finding.path}  `
    const tail = [finding.id, finding.source].filter((part) => part !== undefined).join('  ')
    return [
      `  ${marks[finding.level]} ${indent(clean(`${place}${finding.message}`), 4)}   ${tail}`,
      ...(finding.fix === undefined ? [] : [`      ${indent(clean(finding.fix), 6)}`]),
    ]
  })
  const missing = sorted.slice(mostFindings)
  if (missing.length > 0) lines.push(`  … and ${missing.length} more`)
  return lines
}

/** Below, each criterion stands with its evidence. */
function toldOfCriteria({ conversation }: Verdict, { id }: Finding): boolean {
  return conversation !== undefined && id.startsWith('criterion/')
}

function conversationSections({ conversation }: Verdict, clean: (text: string) => string): string[] {
  if (conversation === undefined) return []
  const blocks =
    'trials' in conversation
      ? conversationBlocks(conversation)
      : runBlocks(conversation.run, conversation.judgement)
  return blocks.map(({ label, lines }) =>
    [label, ...lines.map((line) => `  ${indent(clean(line), 2)}`)].join('\n'),
  )
}

function excerptSections(
  excerpts: readonly { label: string; text: string }[],
  clean: (text: string) => string,
): string[] {
  return excerpts
    .filter(({ text }) => text.trim() !== '')
    .map(({ label, text }) => {
      const body = cut(clean(text).trimEnd(), { lines: 30, chars: 3000 })
      return `${label}\n  ${indent(body, 2)}`
    })
}

function indent(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`)
}

function dim(text: string, call: CallInfo): string {
  return (call.utils?.DIM_COLOR ?? ((each: string) => each))(text)
}

// Once more over the whole: no section can forget it.
function finish(sections: readonly string[], secrets: readonly string[]): string {
  return redact(sections.filter((section) => section !== '').join('\n\n'), secrets)
}
