import { setTimeout as pause } from 'node:timers/promises'

/** What the lending desk does next; each SDK's executor puts it into events of its own. */
export type Step =
  | { state: 'working' | 'completed' | 'canceled' | 'input-required' | 'auth-required'; text?: string }
  | { chunk: string; append: boolean; last: boolean }
  | { loans: { book: string; days: number }; receipt: string }

/** What the desk is told. */
export interface Told {
  text: string
  contextId: string
  /** True when the message answers a question of the same task. */
  isAnswer: boolean
}

/** How long the desk takes over each piece of a search in ms, so that a stream of it can be cut. */
const pieceMs = 120

/** A desk that remembers what it was told. Its tasks take every course that the matchers on operations ask for. */
export class LendingDesk {
  readonly #told = new Map<string, string>()
  readonly #canceled = new Map<string, () => void>()
  readonly #approved = new Map<string, () => void>()

  /** The course of one task, without its beginning. */
  async *serve(taskId: string, { text, contextId, isAnswer }: Told): AsyncGenerator<Step, void> {
    const [, told] = /(?:my name is|ask you for it later:) ([\w-]+)/i.exec(text) ?? []
    if (told !== undefined) this.#told.set(contextId, told)

    if (isAnswer) return yield* answer(`Renewed: ${text}.`)
    if (/renew/i.test(text)) return yield { state: 'input-required', text: 'Which book?' }
    if (/who am i|which code word/i.test(text))
      return yield* answer(`I was told: ${this.#told.get(contextId) ?? 'nothing'}.`)
    if (/reserve/i.test(text)) return yield* this.#untilApproved(taskId)
    yield { state: 'working', text: 'One moment …' }
    if (/search/i.test(text)) return yield* search()
    if (/lend/i.test(text)) return yield* lend()
    if (/wait/i.test(text)) return yield* this.#untilCanceled(taskId)
    yield* answer('The book is due on Friday.')
  }

  /** Ends the course of a task that waits. */
  cancel(taskId: string): void {
    this.#canceled.get(taskId)?.()
  }

  /** Allows what a task waits for; false where none waits. */
  approve(taskId: string): boolean {
    const approve = this.#approved.get(taskId)
    approve?.()
    return approve !== undefined
  }

  async *#untilApproved(taskId: string): AsyncGenerator<Step, void> {
    const approved = new Promise<void>((resolve) => this.#approved.set(taskId, resolve))
    yield { state: 'auth-required', text: 'A librarian must allow this.' }
    await approved
    yield* answer('It is reserved.')
  }

  async *#untilCanceled(taskId: string): AsyncGenerator<Step, void> {
    await new Promise<void>((resolve) => this.#canceled.set(taskId, resolve))
    yield { state: 'canceled' }
  }
}

function* answer(text: string): Generator<Step, void> {
  yield { chunk: text, append: false, last: true }
  yield { state: 'completed' }
}

/** An artifact with data and a file. */
function* lend(): Generator<Step, void> {
  yield { loans: { book: 'Momo', days: 28 }, receipt: 'Momo: 28 days' }
  yield { state: 'completed' }
}

async function* search(): AsyncGenerator<Step, void> {
  for (const [index, chunk] of ['It is ', 'on shelf ', 'four.'].entries()) {
    await pause(pieceMs)
    yield { chunk, append: index > 0, last: index === 2 }
  }
  await pause(pieceMs)
  yield { state: 'completed' }
}
