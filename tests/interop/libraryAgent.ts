import { setTimeout as pause } from 'node:timers/promises'

/** What the library agent does next; each SDK's executor puts it into events of its own. */
export type Step =
  | { state: 'working' | 'completed' | 'canceled' | 'input-required' | 'auth-required'; text?: string }
  | { chunk: string; append: boolean; last: boolean }
  | { loans: { book: string; days: number }; receipt: string }

/** What the agent receives. */
export interface Incoming {
  text: string
  contextId: string
  /** True when the message answers a question of the same task. */
  isAnswer: boolean
}

/** How long each piece of a search takes in ms: long enough to interrupt its stream. */
const pieceMs = 120

/** Remembers what it was told in each context. Its tasks end in every way that the matchers on operations need. */
export class LibraryAgent {
  readonly #remembered = new Map<string, string>()
  readonly #canceled = new Map<string, () => void>()
  readonly #approved = new Map<string, () => void>()

  /** The steps of one task after it was submitted. */
  async *serve(taskId: string, { text, contextId, isAnswer }: Incoming): AsyncGenerator<Step, void> {
    const [, told] = /(?:my name is|ask you for it later:) ([\w-]+)/i.exec(text) ?? []
    if (told !== undefined) this.#remembered.set(contextId, told)

    if (isAnswer) return yield* answer(`Renewed: ${text}.`)
    if (/renew/i.test(text)) return yield { state: 'input-required', text: 'Which book?' }
    if (/who am i|which code word/i.test(text))
      return yield* answer(`I was told: ${this.#remembered.get(contextId) ?? 'nothing'}.`)
    if (/reserve/i.test(text)) return yield* this.#untilApproved(taskId)
    yield { state: 'working', text: 'One moment …' }
    if (/search/i.test(text)) return yield* search()
    if (/lend/i.test(text)) return yield* lend()
    if (/wait/i.test(text)) return yield* this.#untilCanceled(taskId)
    yield* answer('The book is due on Friday.')
  }

  /** Ends a task that is waiting. */
  cancel(taskId: string): void {
    this.#canceled.get(taskId)?.()
  }

  /** Approves what a task is waiting for; false if no such task is waiting. */
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
