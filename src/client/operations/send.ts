import { addFindings } from '../../findings/addFindings.ts'
import { isActive, type Message, type Task } from '../../protocol/model.ts'
import { largeFiles, toMessage } from '../message.ts'
import { toReply } from '../reply.ts'
import { declares } from '../route/capabilities.ts'
import { withSize } from '../route/explain.ts'
import type { Connection } from '../route/types.ts'
import type { Session } from '../session.ts'
import type { MessageInput, Reply, SendOptions } from '../types.ts'
import { waitForTask, type Waited } from '../wait/waitForTask.ts'
import { watchTask, type Watched } from '../wait/watchTask.ts'
import type { Answer, CallLimits } from './call.ts'
import { contextChanged, inSession } from './context.ts'
import { Recording } from './recording.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'
import { getTaskOperation, sendOperation, subscribeRequest } from './requests.ts'

/** Sends one message and waits until its task settles. Throws A2AError. */
export async function sendMessage(
  session: Session,
  input: MessageInput,
  options: SendOptions = {},
): Promise<Reply> {
  const { about } = session
  const { deps } = about
  const message = toMessage(input, options, deps.id())
  const large = largeFiles(message)
  const short = large.length > 0
  const waitMs = options.waitMs ?? session.waitMs
  const limits = session.limitsOf(options)
  limits.followMs = options.noWait ? 0 : waitMs
  const connection = await session.connect(options.signal)
  const record = new Recording(about.transport)
  const operation = sendOperation(message, options, { short, deps })
  let answer: Answer
  try {
    answer = await session.ask(operation, connection, record, limits, true)
  } catch (error) {
    throw withSize(error, large, record.firstBytes)
  }
  const { findings, progress, route } = answer
  let value: Message | Task = answer.value
  const isPending = value.kind === 'task' && isActive(value.status.state)
  let waited: Waited | undefined
  if (value.kind === 'task' && isPending && !options.noWait) {
    const startAt = deps.clock.now() - answer.followedMs
    waited = await settle(session, value, { connection, record, answer, limits, waitMs, startAt, short })
    value = waited.task
    for (const text of waited.progress) if (!progress.includes(text)) progress.push(text)
    addFindings(findings, waited.findings)
  }
  const { dialect } = route.interface
  value = inSession(value, profileOf(dialect).wire.clientMakesIds ? operation.sessionId() : undefined)
  findings.push(...contextChanged(message.contextId, value.contextId))
  return toReply(value, {
    dialect,
    declared: connection.declared,
    progress,
    unsettled: waited?.unsettled ?? isPending,
    wait: waited && waitOf(waited),
    findings,
    exchanges: record.exchanges,
    agent: about.label(),
    secrets: about.secrets,
  })
}

function waitOf({ polls, ms, events }: Waited): Reply['wait'] {
  return events === undefined ? { polls, ms } : { polls, ms, subscribed: true }
}

interface Settling {
  connection: Connection
  record: Recording
  answer: Answer
  limits: CallLimits
  waitMs: number
  startAt: number
  short: boolean
}

/** Waits by a subscription if the agent declares streaming, else by polling. */
function settle(
  session: Session,
  task: Task,
  { connection, record, answer: { route }, limits, waitMs, startAt, short }: Settling,
): Promise<Waited> {
  const { caller } = session
  const { clock } = session.about.deps
  const operation = getTaskOperation(task.id, { short })
  const { signal, deadlineAt } = limits
  const watch = (endAt: number, poll: () => Promise<Task>): Promise<Watched> =>
    watchTask({
      clock,
      stream: session.events(
        subscribeRequest(task.id),
        { ...(signal && { signal }), waitMs: endAt - clock.now() },
        { record, start: task },
      ),
      poll,
      onMissing: () => (connection.cannotSubscribe = true),
      signal,
    })
  const canWatch = declares(connection, 'streaming') === true && connection.cannotSubscribe !== true
  return waitForTask(task, {
    clock,
    waitMs,
    startAt,
    signal,
    deadlineAt,
    watch: canWatch ? watch : undefined,
    method: caller.methodOf(operation, route),
    get(leftMs) {
      const timeoutMs = Math.min(session.requestTimeoutMs, leftMs)
      const pollLimits = { ...limits, requestTimeoutMs: timeoutMs, followMs: timeoutMs }
      return caller.call(record, operation, route, pollLimits)
    },
  })
}
