import { plainText } from '../../core/guards.ts'
import type { ProbeAnswer } from '../../client/probe/types.ts'
import { isRecord, quote } from '../phrases.ts'

/**
 * What an answer says about the caller: `refused` with HTTP 401 or 403; `refused-in-body` by an error about authentication with
 * another status; `served` for any other A2A answer; `unknown` if the agent lacks the operation; `odd` for everything else.
 */
export interface Reading {
  kind: 'refused' | 'refused-in-body' | 'served' | 'unknown' | 'odd'
  /** Completes "… was answered with": `HTTP 200 and a result`. */
  description: string
  /** True if the A2A answer is an error. */
  isError?: true
}

/** Reads what an agent answered to a probe. */
export function readAnswer({ status, text, mediaType }: ProbeAnswer): Reading {
  const streamed = mediaType === 'text/event-stream' && status < 300
  const json = parse(streamed ? firstData(text) : text)
  const error = isRecord(json) ? errorOf(json, status) : undefined
  const http = `HTTP ${status}${streamed ? ' and an event stream' : ''}`
  if (status === 401 || status === 403) return { kind: 'refused', description: http }
  if (error !== undefined) {
    const description = `${http} and ${error.description}`
    if (isAboutAuthentication(error)) return { kind: 'refused-in-body', description }
    return { kind: error.code === -32601 ? 'unknown' : 'served', description, isError: true }
  }
  if (streamed) return { kind: 'served', description: http }
  if (status < 300 && isRecord(json)) {
    return { kind: 'served', description: `${http} and ${'result' in json ? 'a result' : 'a JSON object'}` }
  }
  // The agent does not know this path or HTTP method.
  if ([404, 405, 501].includes(status)) return { kind: 'unknown', description: http }
  return { kind: 'odd', description: `${http}${mediaType === '' ? '' : ` ${mediaType}`}` }
}

interface ReadError {
  code?: number
  /** The text, and the reason or status that REST errors name. */
  words: string
  description: string
}

/** An error in the form of JSON-RPC, google.rpc.Status, RFC 9457 problem details, or the 0.3 SDKs over REST. */
function errorOf(json: Record<string, unknown>, status: number): ReadError | undefined {
  const inner = isRecord(json['error']) ? json['error'] : status >= 400 ? json : undefined
  if (inner === undefined) return undefined
  const { code, message, status: name, type, title } = inner
  const description = [message, name, title, type].filter((one) => typeof one === 'string').join(' ')
  const isRpc = 'jsonrpc' in json || (typeof code === 'number' && code < 0)
  // A server may also answer an unknown path with an error in JSON.
  if (!isRpc && (description === '' || !/^[A-Z_]+$|Error$|a2a-protocol/.test(plainText(name ?? type))))
    return undefined
  if (!isRpc && [404, 405, 501].includes(status) && !/task/i.test(description)) return undefined
  return {
    ...(typeof code === 'number' && { code }),
    words: description,
    description: `error ${code === undefined ? '' : `${plainText(code)}, `}${quote(description)}`,
  }
}

const words =
  /unauthori[sz]ed|unauthenticated|authenticat|authori[sz]ation|credential|\b(access|bearer|invalid|missing|expired) token|token (is )?(invalid|missing|expired|required)|api[- _]?key|forbidden|permission.?denied|access denied|log.?in\b|sign.?in\b/i

function isAboutAuthentication({ words: description }: ReadError): boolean {
  // "Task not found or access denied" does not distinguish anonymous callers.
  return words.test(description) && !/not[ _]?found|unknown|no such|does not exist/i.test(description)
}

/** The data of the first event that has any. */
function firstData(text: string): string {
  const blocks = text.split(/\r\n\r\n|\n\n|\r\r/)
  const lines = blocks.find((block) => /^data:/m.test(block))?.split(/\r\n|\r|\n/) ?? []
  return lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5))
    .join('\n')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
