/** The test that a check runs in. */
export interface TestFacts {
  /** Includes the names of the enclosing blocks. */
  name: string
  file?: string
  /** The number of retries that the runner is set to. */
  retries: number
}

/** The time that one matcher has, passed to everything that waits. */
export interface Budget {
  /** Aborted at the deadline or when the runner ends the test; its reason is an A2AConnectionError `DEADLINE`. */
  signal: AbortSignal
  /** Wall-clock limit in ms since the epoch, or undefined without one. */
  deadlineAt?: number
}
