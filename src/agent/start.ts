import { systemDeps, type Deps } from '../core/deps.ts'
import { A2AConnectionError, isA2AError } from '../core/errors.ts'
import { runCommand, type RunningCommand } from './childProcess.ts'
import { createAgent } from './handle.ts'
import { markServed } from './lifetime.ts'
import { checkStartOptions } from './options.ts'
import type { A2AAgent } from './types.ts'
import type { AgentOptions } from '../client/types.ts'

/** What `startAgent()` runs, and the options of `a2aAgent()`. */
export interface StartOptions extends AgentOptions {
  /** File and arguments, or one line for the shell. `{port}` in either is replaced by the port. */
  command: readonly [file: string, ...args: string[]] | string
  /** Folder to run it in. Default: the current one. */
  cwd?: string
  /** Added to this process's environment; undefined removes a variable. */
  env?: Record<string, string | undefined>
  /** Given to the command as `PORT`. Default 0: a free one. */
  port?: number
  /** Base or card URL of the agent; may hold `{port}`. Default `http://127.0.0.1:{port}`. */
  url?: string
  /** Longest wait until the card answers in ms. Default 30 000. */
  readyTimeoutMs?: number
}

/** An agent that runs as a process that we started. */
export interface StartedAgent extends A2AAgent {
  readonly pid: number
  /** The last 64 KiB that it printed, both outputs. */
  output(): string
  /** Ends its whole process tree; the same as `close()`. */
  stop(): Promise<void>
}

const firstPauseMs = 50
const longestPauseMs = 500
const linesShown = 30

/**
 * Runs an agent written in any language and waits until its card answers; connections refused and the statuses 404 and 503 mean "not yet".
 * It ends with `stop()`, with the test file, and at the latest with this process.
 * Throws A2AConnectionError `AGENT_DID_NOT_START`, A2AUsageError `BAD_OPTIONS`.
 */
export async function startAgent(options: StartOptions, deps: Deps = systemDeps()): Promise<StartedAgent> {
  checkStartOptions(options)
  const { command, cwd, env, port: wantedPort = 0, url, readyTimeoutMs = 30_000, ...agentOptions } = options
  const port = wantedPort === 0 ? await freePort() : await claimPort(wantedPort)
  const withPort = (text: string): string => text.replaceAll('{port}', String(port))
  const target = withPort(url ?? 'http://127.0.0.1:{port}')
  const run = await runCommand({
    command: typeof command === 'string' ? withPort(command) : command.map(withPort),
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...deps.env, PORT: String(port), ...env },
  })
  const served = new URL(target).origin
  try {
    await untilReady(
      () => createAgent(target, agentOptions, deps, { served }),
      run,
      target,
      readyTimeoutMs,
      deps,
    )
  } catch (error) {
    await run.stop()
    throw error
  }
  const agent = createAgent(target, agentOptions, deps, { served, onClose: run.stop })
  markServed(agent, () => excerpt(run, agent.secrets))
  return Object.assign(agent, { pid: run.pid as number, output: run.output, stop: () => agent.close() })
}

async function untilReady(
  open: () => A2AAgent,
  run: RunningCommand,
  target: string,
  readyTimeoutMs: number,
  { clock }: Deps,
): Promise<void> {
  let late = false
  let cancelTimer: (() => void) | undefined
  const timeUp = new Promise<void>((resolve) => {
    cancelTimer = clock.after(readyTimeoutMs, () => {
      late = true
      resolve()
    })
  })
  let last = 'nothing'
  try {
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      // A new handle each time, so that the returned one knows nothing about the attempts before.
      const agent = open()
      const answer = await Promise.race([probe(agent), run.whenEnded, timeUp])
      void agent.close()
      const failure = notStarted(run, agent.secrets)
      const ended = run.ended()
      if (ended !== undefined) {
        throw failure(
          run.pid === undefined ? `the agent ${ended}.` : `the agent ${ended} before its card answered.`,
        )
      }
      if (answer === 'ready') return
      if (answer !== undefined) last = answer
      if (late) {
        throw failure(
          `the agent runs, but returned no card at ${target} within ${readyTimeoutMs} ms (readyTimeoutMs); the last answer: ${last}.`,
          'Does it listen on the port that it receives as PORT? If not, pass its address as `url`.',
        )
      }
      await Promise.race([clock.sleep(pause), run.whenEnded, timeUp])
    }
  } finally {
    cancelTimer?.()
  }
}

/** `ready`, or what it answered when that means "not yet". */
async function probe(agent: A2AAgent): Promise<string> {
  try {
    const { discovery } = await agent.card()
    const waiting = discovery.attempts.every(
      ({ status, error }) => status === 404 || status === 503 || isNotUpYet(error),
    )
    // Any other answer is the agent's own: matchers will report what is wrong with it.
    if (discovery.found || !waiting) return 'ready'
    return discovery.attempts.map(({ url, outcome }) => `${url}: ${outcome}`).join(', ')
  } catch (error) {
    if (isNotUpYet(error)) return (error as Error).message
    throw error
  }
}

// A server that is just coming up refuses, or accepts and drops.
function isNotUpYet(error: unknown): boolean {
  return isA2AError(error) && error.code === 'UNREACHABLE'
}

function notStarted(
  run: RunningCommand,
  secrets: readonly string[],
): (message: string, fix?: string) => A2AConnectionError {
  return (message, fix) => {
    const [shown] = excerpt(run, secrets)
    const output = shown === undefined ? ' It printed nothing.' : `\n\n${shown.label}:\n${indent(shown.text)}`
    return new A2AConnectionError('AGENT_DID_NOT_START', message + output, fix === undefined ? {} : { fix })
  }
}

function excerpt(run: RunningCommand, secrets: readonly string[]): { label: string; text: string }[] {
  let text = run.output().trim()
  if (text === '') return []
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '***')
  const ended = run.ended()
  return [
    {
      label: ended === undefined ? 'Last output of the agent' : `Last output of the agent, which ${ended}`,
      text: text.split('\n').slice(-linesShown).join('\n'),
    },
  ]
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}

const portTries = 20

// Outside the range of ephemeral ports: the system could give one of those to another process before the agent listens on it.
async function freePort(): Promise<number> {
  const { randomInt } = await import('node:crypto')
  for (let tries = 0; tries < portTries; tries++) {
    const port = await claimPort(randomInt(20_000, 32_000)).catch(() => undefined)
    if (port !== undefined) return port
  }
  return claimPort(0)
}

// Another process that uses a fixed port must not be mistaken for the agent.
async function claimPort(wanted: number): Promise<number> {
  const { createServer } = await import('node:net')
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'is already in use' : `cannot be used: ${cause.message}`
      const fix = 'End the process that uses it, or leave `port` out to get a free one as PORT.'
      reject(
        new A2AConnectionError('AGENT_DID_NOT_START', `port ${wanted} of 127.0.0.1 ${why}`, { cause, fix }),
      )
    })
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
