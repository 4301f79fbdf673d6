import type { ChildProcess } from 'node:child_process'
import { systemClock } from '../core/clock.ts'
import { closeWithFile } from './lifetime.ts'

/** A command that we run, with everything that it starts. */
export interface RunningCommand {
  readonly pid: number | undefined
  /** Set once it has ended: `exited with code 1`, `was ended by SIGKILL`, `could not be started: …`. */
  ended(): string | undefined
  /** Resolves when it has ended, on its own or by `stop()`. */
  readonly whenEnded: Promise<void>
  /** The end of what it printed to both outputs. */
  output(): string
  /** Ends the whole process tree: asks first, then forces. Safe to call twice. */
  stop(): Promise<void>
}

export interface CommandOptions {
  command: readonly string[] | string
  cwd?: string
  env: Record<string, string | undefined>
}

const outputKept = 64 * 1024
const stopGraceMs = 2_000

// One hook for all: Node warns of a leak when there are more than ten.
const onExit = new Set<() => void>()
let hooked = false
function hookExit(): void {
  if (hooked) return
  hooked = true
  process.on('exit', () => {
    for (const end of onExit) end()
  })
}

/** Runs a command in its own process group, which ends at the latest with this process, however that ends. */
export async function runCommand({ command, cwd, env }: CommandOptions): Promise<RunningCommand> {
  const { spawn, spawnSync } = await import('node:child_process')
  const windows = process.platform === 'win32'
  hookExit()
  const [file, args] = typeof command === 'string' ? [command, []] : [command[0] as string, command.slice(1)]
  const child = spawn(file, args, {
    cwd,
    env,
    shell: typeof command === 'string',
    // In its own group, so that one signal reaches everything that the command starts.
    detached: !windows,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const output = keepEnd(child, outputKept)

  let ended: string | undefined
  const whenEnded = new Promise<void>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      // Also emitted when a signal could not be sent; only without a pid did it never start.
      if (child.pid !== undefined) return
      ended = `could not be started: ${error.code === 'ENOENT' ? `"${cwd === undefined ? file : `${file}" in "${cwd}`}" was not found` : error.message}`
      resolve()
    })
    // `close` comes after the last output, but not while a grandchild holds the pipe.
    child.once('exit', (code, signal) => {
      ended = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
      void systemClock.sleep(50).then(resolve)
      child.once('close', () => resolve())
    })
  })

  const force = (): void => {
    if (child.pid === undefined) return
    if (windows) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { windowsHide: true })
    else signalGroup(child.pid, 'SIGKILL')
  }
  const guard = windows ? undefined : startGuard(spawn, child.pid)
  onExit.add(force)
  for (const part of [child, child.stdout, child.stderr]) unref(part)

  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> =>
    (stopping ??= (async () => {
      forget()
      if (child.pid !== undefined && ended === undefined && !windows) {
        signalGroup(child.pid, 'SIGTERM')
        await Promise.race([whenEnded, systemClock.sleep(stopGraceMs)])
      }
      // Also when the head has ended: what it started may live on.
      force()
      await whenEnded
      onExit.delete(force)
      guard?.kill('SIGKILL')
      child.stdout?.destroy()
      child.stderr?.destroy()
    })())
  const forget = closeWithFile(stop)
  return { pid: child.pid, ended: () => ended, whenEnded, output, stop }
}

// A process that is killed runs no exit hook. The guard waits on a pipe that only we hold and outlives us just long enough.
function startGuard(
  spawn: typeof import('node:child_process').spawn,
  pid: number | undefined,
): ChildProcess | undefined {
  if (pid === undefined) return undefined
  const guard = spawn('/bin/sh', ['-c', 'read _; kill -s KILL -- "-$1"', 'guard', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell there is still the exit hook.
  guard.once('error', () => undefined)
  guard.stdin.once('error', () => undefined)
  for (const part of [guard, guard.stdin]) unref(part)
  return guard
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended already.
  }
}

function keepEnd(child: ChildProcess, most: number): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      text = (text + chunk).slice(-most)
    })
  }
  return () => text
}

function unref(part: unknown): void {
  ;(part as { unref?: () => void } | null)?.unref?.()
}
