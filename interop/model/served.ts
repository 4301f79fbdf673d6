import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A line that the server wrote: what came of a request, or that it is ready. */
export interface ServerEvent {
  event: 'ready' | 'asked' | 'writing' | 'ended' | 'canceled'
  /** Number of the request, from 1. */
  request: number
  format: string
  temperature?: number
  switches: string[]
  status?: number
  message?: string
  /** Requests that were open when this one came, with itself. */
  open?: number
  total_tokens?: number
}

/** What makes a lesser server of it. */
export type Switch = 'no-json_schema' | 'no-json_object' | 'no-temperature' | 'key' | 'slow'

/** The model's server, in a process of its own. */
export interface ServedModel {
  model: string
  baseURL(...switches: Switch[]): string
  /** All that it has told of the requests at these switches, oldest first. */
  told(...switches: Switch[]): ServerEvent[]
  /** Resolves with the first event that fits, also one that has been told already; rejects where the server ends before. */
  heard(fits: (event: ServerEvent) => boolean): Promise<ServerEvent>
  stop(): Promise<void>
}

/** Starts the server and waits until the model is loaded. */
export async function serveModel(): Promise<ServedModel> {
  const child = spawn(process.execPath, ['serve.mjs'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const events: ServerEvent[] = []
  const waiting = new Set<() => void>()
  const look = (): void => waiting.forEach((each) => each())
  createInterface(child.stdout).on('line', (line) => {
    events.push(JSON.parse(line) as ServerEvent)
    look()
  })
  void ended.then(look)

  const heard = (fits: (event: ServerEvent) => boolean): Promise<ServerEvent> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const event = events.find(fits)
        if (event !== undefined) resolve(event)
        else if (child.exitCode === null && child.signalCode === null) return
        else
          reject(new Error(`The server of the model has ended, with ${child.exitCode ?? child.signalCode}.`))
        waiting.delete(check)
      }
      waiting.add(check)
      check()
    })

  const ready = (await heard(({ event }) => event === 'ready')) as ServerEvent & {
    url: string
    model: string
  }
  return {
    model: ready.model,
    baseURL: (...switches) =>
      [ready.url, ...(switches.length > 0 ? [switches.join(',')] : []), 'v1'].join('/'),
    told: (...switches) =>
      events.filter((event) => event.event !== 'ready' && event.switches.join() === switches.join()),
    heard,
    async stop() {
      child.kill()
      await ended
    },
  }
}
