import type { A2AAgent } from './types.ts'

/** A labelled text that helps to understand a failure: an agent's last output, what a handler threw. */
export interface Excerpt {
  label: string
  text: string
}

interface Shared {
  open: Set<() => Promise<void>>
  served: WeakMap<object, () => Excerpt[]>
}

// A test file may load the ESM and the CJS copy of this package; both must see what the other one opened.
const key = Symbol.for('expect-a2a.lifetime')
const shared: Shared = ((globalThis as { [key]?: Shared })[key] ??= {
  open: new Set(),
  served: new WeakMap(),
})

/** Remembers something to close at the end of the test file; returns a function that forgets it. */
export function closeWithFile(close: () => Promise<void>): () => void {
  shared.open.add(close)
  return () => void shared.open.delete(close)
}

/**
 * Closes every server and ends every process that `serveAgent`, `startAgent` and served subjects opened since the file began.
 * The setup entries call it after each file. Errors are ignored: the file's tests have ended.
 */
export async function closeOpened(): Promise<void> {
  const closing = [...shared.open]
  shared.open.clear()
  await Promise.allSettled(closing.map((close) => close()))
}

/** Marks an agent as one that we serve or run ourselves; failure messages about it print what `read` returns then. */
export function markServed(agent: A2AAgent, read: () => Excerpt[] = () => []): void {
  shared.served.set(agent, read)
}

/** What is known about an agent besides its exchanges: its output, errors of its handlers. Empty if we did not start it. */
export function excerptsOf(agent: A2AAgent): Excerpt[] {
  return shared.served.get(agent)?.() ?? []
}
