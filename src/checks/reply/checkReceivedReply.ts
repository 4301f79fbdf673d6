import { toReply } from '../../client/reply.ts'
import type { Reply } from '../../client/types.ts'
import { A2AUsageError } from '../../core/errors.ts'
import type { Artifact, FilePart, Task, TaskState } from '../../protocol/model.ts'
import type { Verdict } from '../verdict.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import { replyResult } from './expectedReply.ts'
import { test } from './deepDifference.ts'
import { describeReply, hasText, textExcerpt } from './describeReply.ts'
import { stateResult } from './checkTaskState.ts'
import { isPromise } from '../../core/guards.ts'
import { compare, phrase, type Answer, type Expected, type Mismatch } from './expectedValue.ts'
import { isRegExp, listed, quote, show } from '../phrases.ts'

/** Checks the state of the task in a reply. */
export function checkReplyState(received: Reply | Task, [state]: readonly [state: TaskState]): Verdict {
  const reply = 'isA2AReply' in received ? received : toReply(received, { dialect: '1.0', agent: '' })
  return verdict(reply, `a task in state ${state}`, taskResult(reply, state))
}

function taskResult(reply: Reply, state: TaskState): CheckResult {
  const received = describeReply(reply)
  if (reply.kind === 'message') return failing('reply/no-task', `${received}, which is not a task`)
  return stateResult(reply, state, received)
}

/** Compares the text of a reply; without `expected`, any text passes. */
export function checkReplyText(
  reply: Reply,
  [expected, { exact = false } = {}]: readonly [expected?: Expected<Reply>, options?: { exact?: boolean }],
): Verdict {
  if (expected === undefined) {
    const received = describeReply(reply)
    const result: CheckResult = hasText(reply)
      ? { outcome: 'passed', received }
      : failing('reply/no-text', received)
    return verdict(reply, 'a reply with some text', result)
  }
  const mismatch = now(
    expected,
    { text: reply.text, data: [], about: reply },
    { matcher: 'toHaveReplyText', exact },
  )
  return verdict(reply, `a reply ${phrase(expected, exact)}`, replyResult(reply, mismatch))
}

/** Compares the data of a reply: one of its data parts, or the list of all; without `expected`, any data passes. */
export function checkReplyData(reply: Reply, [expected]: readonly [expected?: Expected<Reply>]): Verdict {
  if (reply.data.length === 0) {
    const what = expected === undefined ? 'with some data' : phrase(expected)
    const received = `${describeReply(reply)}, without data`
    return verdict(reply, `a reply ${what}`, failing('reply/no-data', received))
  }
  const mismatch =
    expected === undefined
      ? undefined
      : now(expected, { text: '', data: reply.data, about: reply }, { matcher: 'toHaveReplyData' })
  const what = expected === undefined ? 'with some data' : phrase(expected)
  const result = replyResult(reply, mismatch)
  const excerpts = [...(result.excerpts ?? []), { label: 'Data of the reply', text: show(reply.data, 2000) }]
  return verdict(reply, `a reply ${what}`, { ...result, excerpts })
}

/** Finds an artifact by its name or id, and compares its text or data. */
export function checkArtifact(
  reply: Reply,
  [name, expected]: readonly [name: string | RegExp, expected?: Expected<Artifact>],
): Verdict {
  const what = `an artifact ${isRegExp(name) ? 'whose name matches' : 'named'} ${show(name)}${expected === undefined ? '' : ` ${phrase(expected)}`}`
  const named = reply.artifacts.filter((artifact) =>
    [artifact.name, artifact.artifactId].some((label) => label !== undefined && fits(name, label)),
  )
  if (named.length === 0) {
    const labels = reply.artifacts.map(({ name: label, artifactId }) => quote(label ?? artifactId))
    const received =
      labels.length === 0
        ? `${describeReply(reply)}, without artifacts`
        : `${describeReply(reply)}, with the ${labels.length === 1 ? 'artifact' : 'artifacts'} ${listed(labels)}`
    return verdict(reply, what, failing('reply/no-artifact', received))
  }
  const mismatches = named.map((artifact) =>
    expected === undefined ? undefined : now(expected, answerOf(artifact), { matcher: 'toHaveArtifact' }),
  )
  const at = Math.max(mismatches.indexOf(undefined), 0)
  const artifact = named[at] as Artifact
  const label = `artifact ${quote(artifact.name ?? artifact.artifactId)}`
  const mismatch = mismatches[at]
  if (mismatch === undefined) return verdict(reply, what, { outcome: 'passed', received: label })
  const received = `${label} with the text ${quote(answerOf(artifact).text)}; ${mismatch.why}`
  const more = {
    ...(mismatch.detail !== undefined && { excerpts: [mismatch.detail] }),
    ...(mismatch.comparison !== undefined && { comparison: mismatch.comparison }),
  }
  return verdict(reply, what, failing('reply/artifact-differs', received, more))
}

/** What the file must be; every member must match. */
export interface ExpectedFile {
  name?: string | RegExp
  /** `image/png`, or `image/*`. */
  mediaType?: string | RegExp
  /** The URL of a file by reference. */
  url?: string | RegExp
  /** The content of an inline file as UTF-8: contains the string or matches the RegExp. */
  text?: string | RegExp
  /** The exact content of an inline file. */
  bytes?: Uint8Array
}

/** Looks for a file in the reply. */
export function checkReplyFile(
  reply: Reply,
  [expectedFile = {}]: readonly [expectedFile?: ExpectedFile],
): Verdict {
  const wishes = Object.entries(expectedFile).filter(([, value]) => value !== undefined)
  const what =
    wishes.length === 0
      ? 'a reply with a file'
      : `a reply with a file whose ${listed(wishes.map(([key, value]) => `${key} ${wish(key, value)}`))}`
  const misses = reply.files.map((file) => missesOf(file, expectedFile))
  const at = misses.findIndex((miss) => miss === undefined)
  const file = reply.files[at]
  if (file !== undefined) return verdict(reply, what, { outcome: 'passed', received: fileLabel(file) })
  const received =
    reply.files.length === 0
      ? `${describeReply(reply)}, without files`
      : reply.files.map((other, i) => `${fileLabel(other)}, whose ${misses[i]}`).join('; ')
  return verdict(reply, what, failing('reply/no-file', received))
}

function missesOf(file: FilePart, { name, mediaType, url, text, bytes }: ExpectedFile): string | undefined {
  if (name !== undefined && !fits(name, file.name)) return `name is ${show(file.name)}`
  if (mediaType !== undefined && !fitsType(mediaType, file.mediaType))
    return `mediaType is ${show(file.mediaType)}`
  if (url !== undefined && !fits(url, file.url)) return `url is ${show(file.url)}`
  if (text === undefined && bytes === undefined) return undefined
  if (file.bytes === undefined) return 'content is not inline'
  const content = Buffer.from(file.bytes, 'base64')
  if (bytes !== undefined && !content.equals(bytes)) return `content is different (${content.length} bytes)`
  if (text === undefined) return undefined
  const read = content.toString('utf8')
  const found = isRegExp(text) ? test(text, read) : read.includes(text)
  return found ? undefined : `text is ${quote(read)}`
}

function fits(wanted: string | RegExp, actual: string | undefined): boolean {
  if (actual === undefined) return false
  return isRegExp(wanted) ? test(wanted, actual) : actual === wanted
}

function fitsType(wanted: string | RegExp, actual: string | undefined): boolean {
  if (isRegExp(wanted) || actual === undefined) return fits(wanted, actual)
  const [type = ''] = actual.toLowerCase().split(';')
  const plain = wanted.toLowerCase()
  return plain.endsWith('/*') ? type.startsWith(plain.slice(0, -1)) : type.trim() === plain
}

function fileLabel({ name, mediaType, url }: FilePart): string {
  const label = name ?? url
  return `the file ${label === undefined ? '(without a name)' : quote(label)}${mediaType === undefined ? '' : ` (${mediaType})`}`
}

function wish(key: string, value: unknown): string {
  if (ArrayBuffer.isView(value)) return `are the ${value.byteLength} expected ones`
  if (isRegExp(value)) return `matches ${show(value)}`
  return `${key === 'text' ? 'contains' : 'is'} ${show(value)}`
}

function answerOf(artifact: Artifact): Answer<Artifact> {
  return {
    text: artifact.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(''),
    data: artifact.parts.flatMap((part) => (part.kind === 'data' ? [part.data] : [])),
    about: artifact,
  }
}

function now<About>(
  expected: Expected<About>,
  answer: Answer<About>,
  options: { matcher: string; exact?: boolean },
): Mismatch | undefined {
  const result = compare(expected, answer, options)
  if (!isPromise(result)) return result
  result.catch(() => undefined)
  throw new A2AUsageError(
    'BAD_USE',
    `${options.matcher}() is synchronous, but the function or schema is not.`,
    {
      fix: 'Use `await expect(agent).toReply(message, …)`, or await the value first.',
    },
  )
}

function verdict(reply: Reply, expected: string, result: CheckResult): Verdict {
  const { outcome, received, findings = [], excerpts = [], comparison } = result
  const shown = outcome === 'passed' ? [] : [...textExcerpt(reply), ...excerpts]
  return {
    outcome,
    agent: reply.agent,
    expected,
    received,
    findings: [...reply.findings, ...findings],
    exchanges: reply.exchanges,
    secrets: reply.secrets,
    ...(shown.length > 0 && { excerpts: shown }),
    ...(comparison !== undefined && { comparison }),
  }
}
