import { readFileSync } from 'node:fs'

/** One exchange of the trace, as far as tests read it. */
export interface TraceExchange {
  n: number
  request: { method: string; path: string; headers: Record<string, string>; body: unknown }
  response: { body: { result: { task: TraceTask } }; events: TraceEvent[] }
  eventsOfExchange8AfterApproval: TraceEvent[]
}
export interface TraceTask {
  id: string
  contextId: string
  status: TraceStatus
  history: { messageId: string; role: string }[]
}
export interface TraceEvent {
  result: { task?: TraceTask; statusUpdate?: { status: TraceStatus } }
}
interface TraceStatus {
  message: { messageId: string }
  timestamp: string
}

const trace = JSON.parse(
  readFileSync(new URL('../fixtures/trace.json', import.meta.url), 'utf8'),
) as TraceExchange[]

export function exchange(n: number): TraceExchange {
  const found = trace.find((one) => one.n === n)
  if (!found) throw new Error(`The trace has no exchange ${n}.`)
  return found
}
