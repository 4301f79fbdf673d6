/** Values that one reader has not read yet: pushed in, and read once, in order. */
export interface Channel<T> extends AsyncIterable<T> {
  push(value: T): void
  /** Lets the reader finish with what is there. */
  end(): void
}

/** A channel for one reader; `onClose` is called once, when it ended or its reader left. */
export function createChannel<T>(onClose: () => void = () => {}): Channel<T> {
  const values: T[] = []
  let ended = false
  let wake = (): void => {}

  async function* read(): AsyncGenerator<T> {
    try {
      for (;;) {
        while (values.length > 0) yield values.shift() as T
        if (ended) return
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      ended = true
      onClose()
    }
  }
  const reader = read()
  return {
    push(value) {
      if (!ended) values.push(value)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    [Symbol.asyncIterator]: () => ({
      next: () => reader.next(),
      return() {
        // A waiting generator cannot be stopped, so it is woken first.
        ended = true
        values.length = 0
        wake()
        return reader.return(undefined)
      },
    }),
  }
}
