/**
 * Ends one request from several sides: its timer, the caller's signal, `close()`. undici takes it for an AbortSignal; it is
 * none, since under jsdom those are not Node's, and combining them is not the same in every Node.
 */
export class Stop {
  reason: Error | undefined
  readonly #listeners = new Set<() => void>()

  get aborted(): boolean {
    return this.reason !== undefined
  }

  /** The first reason counts. */
  now(reason: Error): void {
    if (this.reason !== undefined) return
    this.reason = reason
    for (const listener of [...this.#listeners]) listener()
    this.#listeners.clear()
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  /** The promise, or a rejection with the reason as soon as there is one. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onStop = (): void => reject(this.reason)
      if (this.reason !== undefined) onStop()
      else this.#listeners.add(onStop)
      promise.then(
        (value) => {
          this.#listeners.delete(onStop)
          resolve(value)
        },
        (error: unknown) => {
          this.#listeners.delete(onStop)
          reject(error)
        },
      )
    })
  }
}
