import { onAbort, setDeadline } from '../core/abort.ts'
import type { Clock } from '../core/clock.ts'
import { longestTimerMs, noticeMs, runnerMarginMs } from '../core/deadline.ts'
import { A2AConnectionError, isA2AError, type A2AError } from '../core/errors.ts'
import type { RunningTest } from './runningTest.ts'
import type { Budget } from '../checks/types.ts'

/** A budget and the strings attached to it. */
export interface OpenBudget extends Budget {
  /** Ends the budget before its time, with this error. */
  abort(reason: A2AError): void
  /** Resolves with the reason when the budget has ended and the check has had its time to notice; never rejects. */
  readonly ended: Promise<A2AError>
  /**
   * The budget's own reason in place of an error that something else raised because the budget's deadline was reached: whoever
   * looks at the clock first, the message is the same.
   */
  told(error: unknown): unknown
  /** Cancels the timer. */
  close(): void
}

/** `noticeMs` in turns of promises, for a machine so busy that the runner's timer is due already: only promises go before that. */
const graceTurns = 100

/**
 * Opens the budget of one matcher call: what the option `deadlineMs` says, and never more than the test's own limit leaves.
 * Its signal is aborted with an A2AConnectionError: `DEADLINE` when time is up, `ABORTED` when the runner gives up.
 */
export function openBudget(
  clock: Clock,
  test: RunningTest | undefined,
  deadlineMs: number | undefined,
): OpenBudget {
  const now = clock.now()
  const controller = new AbortController()
  let end: (reason: A2AError) => void = () => {}
  const ended = new Promise<A2AError>((resolve) => (end = resolve))
  const abort = (reason: A2AError): void => {
    if (controller.signal.aborted) return
    controller.abort(reason)
    void grace().then(() => end(reason))
  }
  const grace = async (): Promise<void> => {
    const isLate = first !== undefined && clock.now() > first.at + noticeMs
    if (!isLate) return clock.sleep(noticeMs)
    for (let turn = 0; turn < graceTurns; turn++) await Promise.resolve()
  }

  const limits: { at: number; reason: () => A2AError }[] = []
  if (deadlineMs !== undefined && Number.isFinite(deadlineMs)) {
    limits.push({ at: now + deadlineMs, reason: () => ownLimit(deadlineMs) })
  }
  if (test?.timeoutMs !== undefined) {
    const { timeoutMs } = test
    // A test that began so long ago would have been ended by its runner: its clock is not what we take it for.
    const began = test.began === undefined || now - test.began >= timeoutMs ? now : test.began
    const at = Math.max(now, began + timeoutMs - runnerMarginMs(timeoutMs))
    limits.push({ at, reason: () => runnerLimit(at - now, timeoutMs) })
  }
  const first = limits.sort((a, b) => a.at - b.at)[0]
  if (first !== undefined) setDeadline(controller.signal, first.at)
  const stop =
    first === undefined
      ? () => {}
      : clock.after(Math.min(first.at - now, longestTimerMs), () => abort(first.reason()), true)

  const onRunnerAbort = (): void =>
    abort(
      new A2AConnectionError('ABORTED', 'the runner ended the test before the agent answered', {
        cause: test?.signal?.reason,
      }),
    )
  const unlink = onAbort(test?.signal, onRunnerAbort)

  return {
    signal: controller.signal,
    ...(first !== undefined && { deadlineAt: first.at }),
    abort,
    ended,
    told: (error) =>
      first !== undefined && isA2AError(error) && error.code === 'DEADLINE' ? first.reason() : error,
    close() {
      stop()
      unlink()
    },
  }
}

function ownLimit(deadlineMs: number): A2AConnectionError {
  return new A2AConnectionError(
    'DEADLINE',
    `the agent did not answer within ${deadlineMs} ms, the option deadlineMs of this matcher`,
    { fix: 'Raise deadlineMs if the agent may take longer.' },
  )
}

function runnerLimit(leftMs: number, timeoutMs: number): A2AConnectionError {
  const left = Math.round(leftMs)
  return new A2AConnectionError(
    'DEADLINE',
    `${left === 0 ? 'no time was left for the agent to answer' : `the agent did not answer within ${left} ms`}; the test timeout is ${timeoutMs} ms`,
    { fix: 'Raise the test timeout, e.g. it(name, fn, 60_000), or testTimeout in the configuration.' },
  )
}
