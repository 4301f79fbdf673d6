import { addFindings } from '../../core/finding.ts'
import type { MessageInput, Reply, SendOptions } from '../types.ts'
import { isActive, type Message, type Task } from '../../protocol/model.ts'
import type { CallLimits, Way } from './call.ts'
import { declares } from '../route/capabilities.ts'
import type { Connected } from '../route/connection.ts'
import { contextChanged, inSession } from './context.ts'
import { withSize } from '../route/explain.ts'
import { largeFiles, toMessage } from '../message.ts'
import { getTaskOperation, sendOperation, subscribeRequest } from './requests.ts'
import { recording, type Recording } from './recording.ts'
import { toReply } from '../reply.ts'
import type { Session } from '../session.ts'
import { waitForTask, type Waited, type WaitOptions } from '../wait/waitForTask.ts'
import { watchTask } from '../wait/watchTask.ts'

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
  const limits = { ...session.limitsOf(options), followMs: options.noWait ? 0 : waitMs }
  const connection = await session.connect(options.signal)
  const record = recording(about.transport)
  const operation = sendOperation(message, options, { short, deps })
  const answer = await session
    .ask(operation, connection, record.transport, limits, { core: true })
    .catch((error: unknown) => {
      throw withSize(error, large, record.firstBytes())
    })

  let value: Message | Task = answer.value
  const { findings, progress, way } = answer
  const isGoingOn = value.kind === 'task' && isActive(value.status.state)
  let waited: Waited | undefined
  if (value.kind === 'task' && isGoingOn && !options.noWait) {
    const startAt = deps.clock.now() - answer.followedMs
    waited = await settle(session, value, { connection, record, way, limits, waitMs, startAt, short })
    value = waited.task
    for (const text of waited.progress) if (!progress.includes(text)) progress.push(text)
    addFindings(findings, waited.findings)
  }
  value = inSession(value, way.interface.dialect === '0.1' ? operation.sessionId() : undefined)
  findings.push(...contextChanged(message.contextId, value.contextId))
  return toReply(value, {
    dialect: way.interface.dialect,
    ...(connection.route.declared && { declared: connection.route.declared }),
    progress,
    unsettled: waited?.unsettled ?? isGoingOn,
    ...(waited && {
      wait: { polls: waited.polls, ms: waited.ms, ...(waited.events !== undefined && { subscribed: true }) },
    }),
    findings,
    exchanges: record.exchanges,
    agent: about.label(),
    secrets: about.secrets,
  })
}

interface Settling {
  connection: Connected
  record: Recording
  way: Way
  limits: CallLimits
  waitMs: number
  startAt: number
  short: boolean
}

/** Waits in the best way that the agent allows: by a subscription where it declares streaming, by polling otherwise. */
function settle(
  session: Session,
  task: Task,
  { connection, record, way, limits, waitMs, startAt, short }: Settling,
): Promise<Waited> {
  const { clock } = session.about.deps
  const caller = session.callerOf(record.transport)
  const operation = getTaskOperation(task.id, { short })
  const { signal, deadlineAt } = limits
  const watch: WaitOptions['watch'] = (endAt, poll) =>
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
    method: caller.methodOf(operation, way),
    get: async (leftMs) => {
      const timeoutMs = Math.min(session.requestTimeoutMs, leftMs)
      return caller.call(operation, way, { ...limits, requestTimeoutMs: timeoutMs, followMs: timeoutMs })
    },
  })
}
