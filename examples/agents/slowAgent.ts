import { startAgentFrom, type AgentFromOptions } from './agentFrom.ts'
import type { Respond } from './task.ts'
import type { DemoAgent } from './wire.ts'

/** An agent that works only when the test lets it. */
export interface SlowAgent extends DemoAgent {
  /** Lets that number of steps run, now or as soon as there is work. Default 1. */
  release(steps?: number): void
  /** Lets every step run from now on. */
  finish(): void
  /** Resolves as soon as a task waits for its next step. */
  waiting(): Promise<void>
}

/** The work of a slow agent unless `respond` says otherwise: five steps. */
const slowly: Respond = ({ text }) => [
  { state: 'working', text: 'Thinking about it' },
  { artifact: { artifactId: 'answer', name: 'answer', parts: [{ text: 'You said: ' }] }, more: true },
  { artifact: { artifactId: 'answer', parts: [{ text }] }, append: true },
  { state: 'working', text: 'Nearly there' },
  { state: 'completed' },
]

/**
 * Starts a slow agent: each step of a task's work waits until a test releases it, so that what happens meanwhile (a stream
 * that is interrupted, a cancel, a poll) happens at a known moment, and nothing sleeps.
 */
export async function startSlowAgent(options: AgentFromOptions = {}): Promise<SlowAgent> {
  let free = 0
  let queue: (() => void)[] = []
  let watchers: (() => void)[] = []
  const pace = (signal: AbortSignal): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    for (const notify of watchers) notify()
    watchers = []
    return new Promise((resolve) => {
      queue.push(resolve)
      // A canceled task does not use up a step that was released for another one.
      signal.addEventListener('abort', () => {
        queue = queue.filter((one) => one !== resolve)
        resolve()
      })
    })
  }
  const release = (steps = 1): void => {
    free += steps
    while (free > 0 && queue.length > 0) {
      free -= 1
      queue.shift()?.()
    }
  }
  const card = options.card ?? {
    name: 'Slow helpdesk',
    capabilities: { streaming: true, pushNotifications: true },
  }
  const agent = await startAgentFrom({ respond: slowly, ...options, card, pace })
  return {
    ...agent,
    release,
    finish: () => release(Infinity),
    waiting: () =>
      queue.length > 0 ? Promise.resolve() : new Promise((resolve) => void watchers.push(resolve)),
  }
}
