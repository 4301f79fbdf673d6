import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { A2AStream, OperationOptions } from '../../client/types.ts'
import { isA2AError, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { StreamEvent, Task } from '../../protocol/model.ts'
import { operationName } from '../../protocol/versions/profiles.ts'
import { count } from '../phrases.ts'
import { createEventList, type EventList } from './describeEvent.ts'
import { StreamRules, type Ending, type StreamContext } from './streamRules.ts'

/** How long an agent may take to close a finished stream, in ms: it may be busy with other work. */
export const closeMs = 2000
// If we hung up earlier because of the deadline, the agent might still have closed it.
const closeMarginMs = 100

/** A stream that was read to its end and checked by the rules. */
export interface ReadStream {
  rules: StreamRules
  list: EventList
  /** The findings of the rules, and about how the stream ended, besides those of the client. */
  findings: Finding[]
  /** True if the stream ended although its task continues. */
  early: boolean
}

/**
 * Opens a stream and reads it to its end. Throws what prevented the first event, and errors that say nothing about the agent; what
 * breaks the stream later becomes a finding.
 */
export async function readStream(
  stream: A2AStream,
  context: Omit<StreamContext, 'dialect'> = {},
  onEvent: (event: StreamEvent) => void = () => {},
): Promise<ReadStream> {
  await stream.open()
  const rules = new StreamRules({ ...context, dialect: stream.dialect ?? '1.0' })
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

/** A stream with the wrong content type, which this client reads but others do not. */
function mislabelled({ findings, streamed }: A2AStream): Finding[] {
  const found = streamed ? findings.find(({ id }) => id === 'wire/content-type') : undefined
  return found === undefined
    ? []
    : [finding('stream/content-type', found.message, { fix: found.fix, source: found.source })]
}

/** The finding for a stream that the agent broke after its first event. */
function brokenBy(error: unknown, { events, last }: StreamRules): Finding | undefined {
  if (!isA2AError(error)) return undefined
  const so = `after ${count(events, 'event')}, the last ${last}`
  // A chunked body without its last chunk is not valid HTTP.
  const isShort = isReplyError(error) && error.finding === 'http/not-http'
  if (isReplyError(error) && !isShort) {
    const { finding: id, message, fix } = error
    return finding(id, `${message}; ${so}`, { level: 'error', fix, source: undefined })
  }
  if (!isShort && error.code !== 'UNREACHABLE') return undefined
  return finding(
    'wire/stream-cut',
    `the connection broke ${so}${isShort ? ', inside the HTTP body' : `: ${error.message}`}`,
    {
      level: 'error',
      fix: 'Keep the connection open until the stream is complete; check the log of the agent, and the timeouts of proxies.',
    },
  )
}

/** The finding for a stream that ended although its task continues, with the current state of the task. */
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
  const method = operationName('getTask', { dialect: stream.dialect ?? '0.3' })
  try {
    const task = await agent.getTask(taskId, options)
    const seen = stream.soFar()?.task
    return (
      `; ${method} now returns ${task.status.state} with ${count(lengthOf(task), 'character')}; ` +
      `the stream delivered ${seen === undefined ? 0 : lengthOf(seen)}`
    )
  } catch (error) {
    if (options.signal?.aborted) throw error
    return `; ${method} failed: ${(error as Error).message}`
  }
}

/** The length of the text that a task has produced. */
function lengthOf({ artifacts, status }: Task): number {
  const parts = artifacts.flatMap((artifact) => artifact.parts)
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  if (texts.length > 0) return texts.join('').length
  return (status.message?.parts ?? []).reduce(
    (sum, part) => sum + (part.kind === 'text' ? part.text.length : 0),
    0,
  )
}

/** Warnings of the client that a rule reports more precisely as an error. */
const outdone: Record<string, readonly string[]> = {
  'stream/after-end': ['wire/after-end'],
  'stream/state-regress': ['wire/after-end'],
  // For the client the end of another task is an end as well.
  'stream/ids': ['wire/foreign-task', 'wire/after-end'],
  'stream/content-type': ['wire/content-type'],
}

/** The findings of the client and of the rules, without duplicates. */
export function merged(client: readonly Finding[], rules: readonly Finding[]): Finding[] {
  const replaced = new Set(rules.flatMap(({ id }) => outdone[id] ?? []))
  const isNew = ({ id, message }: Finding): boolean =>
    !replaced.has(id) && !rules.some((one) => one.id === id && one.message === message)
  return [...rules, ...client.filter(isNew)]
}
