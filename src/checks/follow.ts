import type { A2AAgent } from '../agent/types.ts'
import { systemClock } from '../core/clock.ts'
import type { Budget } from '../runners/types.ts'
import type { Task } from '../protocol/model.ts'
import { limits } from './ask.ts'

/** The pauses between two looks at a task, in ms: they grow from 50 ms to 1 s. */
export function* pauses(): Generator<number, never> {
  for (let ms = 50; ; ms = Math.min(ms * 2, 1000)) yield ms
}

/** What became of a task that was looked at until it was as wanted, or the time was up. */
export interface Followed {
  /** As last seen. */
  task: Task
  polls: number
  ms: number
}

/** Looks at a task with growing pauses until it is as wanted, for at most `ms`. */
export async function follow(
  agent: A2AAgent,
  first: Task,
  { ms, budget, until }: { ms: number; budget: Budget; until: (task: Task) => boolean },
): Promise<Followed> {
  const start = systemClock.now()
  const steps = pauses()
  let task = first
  let polls = 0
  while (!until(task)) {
    const leftMs = start + ms - systemClock.now()
    if (leftMs <= 0) break
    await systemClock.sleep(Math.min(steps.next().value, leftMs), budget.signal)
    task = await agent.getTask(first.id, limits(budget))
    polls += 1
  }
  return { task, polls, ms: systemClock.now() - start }
}
