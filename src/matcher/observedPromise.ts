/** What is observed of a promise. */
export interface Observer {
  /** Called when the test, not just its runner, asks for the outcome. */
  onAwaited(): void
  /** A rejection that nobody asks for is not reported as unhandled. */
  keepQuiet: boolean
}

type Executor<T> = (resolve: (value: T) => void, reject: (reason: unknown) => void) => void
type OnOk<T, R> = ((value: T) => R | PromiseLike<R>) | null | undefined
type OnBad<R> = ((reason: unknown) => R | PromiseLike<R>) | null | undefined

/**
 * The promise of a matcher. Runners call its `then` at once and hand what that gives to the test, so a `then` on *that* tells
 * that the test awaits it. A later `then` on this one can only come from a caller without a runner.
 */
export class ObservedPromise<T> extends Promise<T> {
  // What `then` gives is made by hand below, not by this class.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  readonly #observer: Observer
  #called = true

  constructor(executor: Executor<T>, observer: Observer) {
    super(executor)
    this.#observer = observer
    // Not queueMicrotask, which Jest's fake timers replace.
    Promise.resolve().then(
      () => (this.#called = false),
      () => {},
    )
  }

  override then<A = T, B = never>(onOk?: OnOk<T, A>, onBad?: OnBad<B>): Promise<A | B> {
    const observer = this.#observer
    const given = super.then(onOk, onBad)
    if (!this.#called) {
      observer.onAwaited()
      return given
    }
    if (observer.keepQuiet) given.then(undefined, () => {})
    return new Given((resolve) => resolve(given), observer)
  }
}

/** What the test gets from its runner. */
class Given<T> extends Promise<T> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  readonly #onAwaited: () => void

  constructor(executor: (resolve: (value: T | PromiseLike<T>) => void) => void, observer: Observer) {
    super(executor)
    this.#onAwaited = () => observer.onAwaited()
    if (observer.keepQuiet) super.then(undefined, () => {})
  }

  override then<A = T, B = never>(onOk?: OnOk<T, A>, onBad?: OnBad<B>): Promise<A | B> {
    this.#onAwaited()
    return super.then(onOk, onBad)
  }
}
