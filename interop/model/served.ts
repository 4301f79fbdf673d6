import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A line of the server's output: what happened to a request, or that the server is ready. */
export interface ServerEvent {
  event: 'ready' | 'asked' | 'writing' | 'ended' | 'canceled'
  /** Number of the request, from 1. */
  request: number
  format: string
  temperature?: number
  switches: string[]
  status?: number
  message?: string
  /** The number of open requests when this one came, including it. */
  open?: number
  total_tokens?: number
}

/** Takes an ability from the server. */
export type Switch = 'no-json_schema' | 'no-json_object' | 'no-temperature' | 'key' | 'slow'

/** The model's server, in its own process. */
export interface ServedModel {
  model: string
  baseURL(...switches: Switch[]): string
  /** The events of all requests at these switches, oldest first. */
  events(...switches: Switch[]): ServerEvent[]
  /** Resolves with the first matching event, even a past one; rejects if the server ends before. */
  waitFor(matches: (event: ServerEvent) => boolean): Promise<ServerEvent>
  stop(): Promise<void>
}

/** Starts the server and waits until the model is loaded. */
export async function serveModel(): Promise<ServedModel> {
  const child = spawn(process.execPath, ['serve.mjs'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const all: ServerEvent[] = []
  const waiting = new Set<() => void>()
  const checkAll = (): void => waiting.forEach((check) => check())
  createInterface(child.stdout).on('line', (line) => {
    all.push(JSON.parse(line) as ServerEvent)
    checkAll()
  })
  void ended.then(checkAll)

  const waitFor = (matches: (event: ServerEvent) => boolean): Promise<ServerEvent> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const event = all.find(matches)
        if (event !== undefined) resolve(event)
        else if (child.exitCode === null && child.signalCode === null) return
        else reject(new Error(`The server of the model exited with ${child.exitCode ?? child.signalCode}.`))
        waiting.delete(check)
      }
      waiting.add(check)
      check()
    })

  const ready = (await waitFor(({ event }) => event === 'ready')) as ServerEvent & {
    url: string
    model: string
  }
  return {
    model: ready.model,
    baseURL: (...switches) =>
      [ready.url, ...(switches.length > 0 ? [switches.join(',')] : []), 'v1'].join('/'),
    events: (...switches) =>
      all.filter((event) => event.event !== 'ready' && event.switches.join() === switches.join()),
    waitFor,
    async stop() {
      child.kill()
      await ended
    },
  }
}
