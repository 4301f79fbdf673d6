/** What a check may know of the test it runs in. */
export interface TestFacts {
  /** With the names of the blocks around it. */
  name: string
  file?: string
  /** How often the runner is set to try it again. */
  retries: number
}

/** The time that one matcher has, passed to everything that waits. */
export interface Budget {
  /** Aborted at the deadline or when the runner ends the test; its reason is an A2AConnectionError `DEADLINE`. */
  signal: AbortSignal
  /** Wall-clock limit in ms since the epoch, or undefined if there is none. */
  deadlineAt?: number
}
