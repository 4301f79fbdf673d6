/** What one listener has yet to read: values are pushed in, and read once, in order. */
export interface Channel<T> extends AsyncIterable<T> {
  push(value: T): void
  /** Lets the reader have what is there, and then the end. */
  end(): void
}

/** A channel for one reader; `onClose` is called once, when it has ended or its reader went away. */
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
        // A generator that waits cannot be told to stop, so it is woken first.
        ended = true
        values.length = 0
        wake()
        return reader.return(undefined)
      },
    }),
  }
}
