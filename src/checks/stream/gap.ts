import type { A2AAgent } from '../../agent/types.ts'
import type { A2AStream } from '../../client/types.ts'
import { SilentSubscription } from '../../client/wait/silence.ts'
import type { Clock } from '../../core/clock.ts'
import type { Budget } from '../types.ts'
import { createFold } from '../../protocol/fold.ts'
import type { Artifact, StreamEvent, Task } from '../../protocol/model.ts'
import { limits } from '../reply/sendAndCheck.ts'
import { isSame, restOf, textOf } from './taskDifference.ts'

/**
 * What happened between a disconnection and the subscription after it. Before 1.0 a subscription may start with the next event (A2A 0.3 §7.9:
 * the handling of missed events is "implementation-dependent"), so only the task itself shows what was missed.
 */
export interface Gap {
  /** Adds the next event of the subscription. */
  add(event: StreamEvent): void
  /** The task, if it had settled before the subscription sent anything; the subscription is then ended. */
  readonly missed: Task | undefined
  /** True if the subscription started with the next event. */
  readonly open: boolean
  /** The task as streamed, plus what the task had before the subscription started; the same task if nothing is to be added. */
  bridge(seen: Task, fetched: Task): Promise<Task>
  /** Stops polling the task. */
  stop(): void
}

/** What a gap belongs to. */
export interface GapParts {
  agent: A2AAgent
  clock: Clock
  budget: Budget
  /** The task at the moment of the disconnection. */
  interrupted: Task
  /** The subscription. */
  stream: A2AStream
}

/** How long a subscription may take to open before the task is polled, in ms; some agents send the headers with the first event. */
const openMs = 2000

/** Follows a 0.x subscription, and polls the task as soon as that can show what came before it. */
export function createGap({ agent, clock, budget, interrupted, stream }: GapParts): Gap {
  const after = createFold()
  const restarted = new Set<string>()
  let first: StreamEvent | undefined
  let missed: Task | undefined
  let before: Promise<Task | undefined> | undefined

  // What cannot be seen here is seen by the poll at the end.
  const poll = (): Promise<Task | undefined> =>
    agent.getTask(interrupted.id, limits(budget)).catch(() => undefined)
  const silence = new SilentSubscription({
    clock,
    stream,
    openMs,
    async poll() {
      const polling = poll()
      if (stream.timings.openedAt !== undefined) before ??= polling
      const task = await polling
      if (task === undefined) throw new Error('the task could not be fetched')
      return task
    },
    onSettled({ task, unreported }) {
      if (unreported) return
      missed = task
      stream.abort()
    },
  })

  return {
    add(event) {
      if (first === undefined) {
        first = event
        silence.stop()
        if (event.type !== 'task') before ??= poll()
      }
      if (event.type === 'artifact' && !event.append) restarted.add(event.artifact.artifactId)
      after.add(event)
    },
    get missed() {
      return missed
    },
    get open() {
      return first !== undefined && first.type !== 'task'
    },
    async bridge(seen, fetched) {
      if (first === undefined || first.type === 'task') return seen
      const then = (await before) ?? fetched
      const streamed = after.reply()
      const later = streamed?.kind === 'task' ? streamed.artifacts : []
      const bridged = fetched.artifacts.filter((artifact) => {
        const { artifactId: id } = artifact
        if (restarted.has(id)) return false
        return isBridged(artifact, byId(interrupted.artifacts, id), byId(then.artifacts, id), byId(later, id))
      })
      if (bridged.length === 0) return seen
      const others = seen.artifacts.filter(({ artifactId }) => byId(bridged, artifactId) === undefined)
      return { ...seen, artifacts: [...others, ...bridged] }
    },
    stop: () => silence.stop(),
  }
}

const byId = (artifacts: readonly Artifact[], id: string): Artifact | undefined =>
  artifacts.find(({ artifactId }) => artifactId === id)

/**
 * True if an artifact consists of what was streamed before the disconnection, what the poll saw in between, and what was streamed
 * afterwards: nothing is missing in the middle of the subscription or at its end.
 */
function isBridged(
  fetched: Artifact,
  before: Artifact | undefined,
  then: Artifact | undefined,
  after: Artifact | undefined,
): boolean {
  if (then === undefined && after === undefined) return false
  const texts = [fetched, before, then, after].map((one) => textOf(one?.parts).split(''))
  const rests = [fetched, before, then, after].map((one) => restOf(one?.parts))
  return [texts, rests].every(([all = [], head = [], known = [], tail = []]) => {
    const middle = all.length - tail.length
    return (
      head.length <= middle &&
      middle <= known.length &&
      isSame(all.slice(0, head.length), head) &&
      isSame(all.slice(0, middle), known.slice(0, middle)) &&
      isSame(all.slice(middle), tail)
    )
  })
}
