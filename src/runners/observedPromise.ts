type Executor<T> = (resolve: (value: T | PromiseLike<T>) => void, reject: (reason: unknown) => void) => void
type OnOk<T, R> = ((value: T) => R | PromiseLike<R>) | null | undefined
type OnBad<R> = ((reason: unknown) => R | PromiseLike<R>) | null | undefined

/**
 * The promise of a matcher, which tells whether a test awaits it. Runners chain to it before the call returns, and hand the last
 * link to the test; `await`, and whatever else a test does with that, asks for the outcome in a later microtask. Only where a test
 * returns the promise, Jest chains to it at once.
 */
export class ObservedPromise<T> extends Promise<T> {
  // What follows once it is awaited needs no watching.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  readonly #onAwaited: () => void
  readonly #call: Call

  /**
   * `onAwaited` is called when somebody waits for the outcome. `byRunner` tells whether it is the runner itself that chains to the
   * promise before the call returns; without it every such link is taken for the runner's.
   */
  constructor(executor: Executor<T>, onAwaited: () => void, call: Call | (() => boolean) = () => true) {
    super(executor)
    this.#onAwaited = onAwaited
    this.#call = typeof call === 'function' ? newCall(call) : call
    this.#call.links.push(this)
  }

  override then<A = T, B = never>(onOk?: OnOk<T, A>, onBad?: OnBad<B>): Promise<A | B> {
    const next = super.then(onOk, onBad)
    // By `resolve`, not by another `then`: so V8 still finds the way from an error to the line that awaits it.
    if (!this.#call.returned && this.#call.byRunner())
      return new ObservedPromise((resolve) => resolve(next), this.#onAwaited, this.#call)
    this.#onAwaited()
    return next
  }

  /** From now on a rejection that nobody waits for is not reported as unhandled. */
  keepQuiet(): void {
    for (const link of this.#call.links) void Promise.prototype.then.call(link, undefined, () => {})
  }
}

/** One call of a matcher. */
interface Call {
  returned: boolean
  byRunner: () => boolean
  links: Promise<unknown>[]
}

function newCall(byRunner: () => boolean): Call {
  const call: Call = { returned: false, byRunner, links: [] }
  const flip = (): void => void (call.returned = true)
  // Not queueMicrotask, which Jest's fake timers replace.
  Promise.resolve().then(flip, flip)
  return call
}

/** Whether a function of this name is among those that are being called; `within` is how many of them are looked at. */
export function isCalledBy(name: string, within = 8): boolean {
  const here: { stack?: string } = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = within
  Error.captureStackTrace(here, isCalledBy)
  const stack = String(here.stack)
  Error.stackTraceLimit = stackTraceLimit
  return stack.includes(name)
}
