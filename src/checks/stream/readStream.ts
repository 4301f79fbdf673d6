import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { A2AStream, OperationOptions } from '../../client/types.ts'
import { isA2AError, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { StreamEvent, Task } from '../../protocol/model.ts'
import { count } from '../phrases.ts'
import { createEventList, type EventList } from './describeEvent.ts'
import { createRules, type Ending, type Rules, type RulesAbout } from './streamRules.ts'

/** How long an agent may take to close a stream that is over, in ms: it may be busy with other work. */
export const closeMs = 2000
// Whoever hung up earlier, for lack of time, cannot say that the agent would not have closed it.
const closeMarginMs = 100

/** A stream that was read to its end through the rules. */
export interface ReadStream {
  rules: Rules
  list: EventList
  /** What the rules, and how the stream broke off, add to the findings of the client. */
  findings: Finding[]
  /** True when the stream ended although its task goes on. */
  early: boolean
}

/**
 * Opens a stream and reads it to its end. Throws what kept the first event from coming, and where nothing can be said of the agent; what
 * breaks a stream later is a finding.
 */
export async function readStream(
  stream: A2AStream,
  about: Omit<RulesAbout, 'dialect'> = {},
  onEvent: (event: StreamEvent) => void = () => {},
): Promise<ReadStream> {
  await stream.open()
  const rules = createRules({ ...about, dialect: stream.dialect ?? '1.0' })
  const list = createEventList(() => stream.timings.requestedAt)
  let broken: Finding | undefined
  try {
    for await (const event of stream) {
      rules.add(event)
      list.add(event, stream.timings.events.at(-1) ?? 0)
      onEvent(event)
    }
  } catch (error) {
    broken = rules.events === 0 ? undefined : brokenBy(error, rules)
    if (broken === undefined) throw error
  }
  const ending = endingOf(stream)
  return {
    rules,
    list,
    findings: [...(broken ? [broken] : []), ...rules.finish(ending), ...mislabelled(stream)],
    early: broken === undefined && rules.isEarly(ending),
  }
}

function endingOf({ ended, closed, timings }: A2AStream): Ending {
  const waitedMs = (timings.endedAt ?? Infinity) - (timings.events.at(-1) ?? 0)
  return { ended, closed: closed || (ended !== 'closed' && waitedMs < closeMs - closeMarginMs) }
}

/** What this client reads all the same, and no other: a stream under another content type. */
function mislabelled({ findings, streamed }: A2AStream): Finding[] {
  const found = streamed ? findings.find(({ id }) => id === 'wire/content-type') : undefined
  return found === undefined
    ? []
    : [finding('stream/content-type', found.message, { fix: found.fix, source: found.source })]
}

/** What broke a stream after its first event, where that is the agent's doing. */
function brokenBy(error: unknown, { events, last }: Rules): Finding | undefined {
  if (!isA2AError(error)) return undefined
  const so = `after ${count(events, 'event')}, the last ${last}`
  // A body in HTTP chunks that stops short of its last one is no HTTP any more.
  const isShort = isReplyError(error) && error.finding === 'http/not-http'
  if (isReplyError(error) && !isShort) {
    const { finding: id, message, fix } = error
    return finding(id, `${message}; ${so}`, { level: 'error', fix, source: undefined })
  }
  if (!isShort && error.code !== 'UNREACHABLE') return undefined
  return finding(
    'wire/stream-cut',
    `the connection broke ${so}${isShort ? ', within the HTTP body' : `: ${error.message}`}`,
    {
      level: 'error',
      fix: 'Keep the connection open until the stream is over; look at the log of the agent, and at time limits of proxies.',
    },
  )
}

/** The finding for a stream that ended although its task goes on, with what a look at the task tells. */
export async function earlyFinding(
  { rules }: ReadStream,
  stream: A2AStream,
  agent: A2AAgent,
  options: OperationOptions,
): Promise<Finding> {
  const task = rules.taskId === undefined ? 'the task' : `task ${rules.taskId}`
  const while_ =
    rules.state === undefined ? `before any state of ${task}` : `while ${task} was ${rules.state}`
  const now = await tellNow(rules.taskId, stream, agent, options)
  return finding(
    'stream/ended-early',
    `the stream ended ${while_} (no completed, failed, canceled, rejected or input-required state), ` +
      `after ${count(rules.events, 'event')}, the last ${rules.last}${now}`,
  )
}

async function tellNow(
  taskId: string | undefined,
  stream: A2AStream,
  agent: A2AAgent,
  options: OperationOptions,
): Promise<string> {
  if (taskId === undefined || taskId === '') return ''
  const method = stream.dialect === '1.0' ? 'GetTask' : 'tasks/get'
  try {
    const task = await agent.getTask(taskId, options)
    const seen = stream.soFar()?.task
    return (
      `; ${method} now says ${task.status.state} with ${count(lengthOf(task), 'character')}; ` +
      `the stream delivered ${seen === undefined ? 0 : lengthOf(seen)}`
    )
  } catch (error) {
    if (options.signal?.aborted) throw error
    return `; ${method} could not tell more: ${(error as Error).message}`
  }
}

/** How much text there is in what a task has produced. */
function lengthOf({ artifacts, status }: Task): number {
  const parts = artifacts.flatMap((artifact) => artifact.parts)
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  if (texts.length > 0) return texts.join('').length
  return (status.message?.parts ?? []).reduce(
    (sum, part) => sum + (part.kind === 'text' ? part.text.length : 0),
    0,
  )
}

/** Warnings of the client that say less than an error of the rules about the same thing. */
const outdone: Record<string, readonly string[]> = {
  'stream/after-end': ['wire/after-end'],
  'stream/state-regress': ['wire/after-end'],
  // Another task that ends is an end to the client.
  'stream/ids': ['wire/foreign-task', 'wire/after-end'],
  'stream/content-type': ['wire/content-type'],
}

/** The findings of the client and of the rules, each thing said once. */
export function merged(client: readonly Finding[], rules: readonly Finding[]): Finding[] {
  const said = new Set(rules.flatMap(({ id }) => outdone[id] ?? []))
  const isNew = ({ id, message }: Finding): boolean =>
    !said.has(id) && !rules.some((one) => one.id === id && one.message === message)
  return [...rules, ...client.filter(isNew)]
}
