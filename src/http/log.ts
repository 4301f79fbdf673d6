import { hideBase64 } from './answers.ts'
import type { Exchange } from './types.ts'

/** The longest body that the log prints. */
const printedCharacters = 4_000

/**
 * Prints every exchange when it is over, for whoever wants to watch: `A2A_LOG=1` one line each, `A2A_LOG=bodies` with headers
 * and bodies. Undefined when the variable is unset, empty, `0` or `false`. Everything runs through `redact` first.
 */
export function exchangeLog(
  env: Readonly<Record<string, string | undefined>>,
  redact: (text: string) => string,
  write: (text: string) => void = (text) => void process.stderr.write(text),
): ((exchange: Exchange) => void) | undefined {
  const wish = env['A2A_LOG']?.trim().toLowerCase() ?? ''
  if (wish === '' || wish === '0' || wish === 'false' || wish === 'off') return undefined
  const bodies = wish === 'bodies'
  return (exchange) => write(`${redact(bodies ? inFull(exchange) : inShort(exchange))}\n`)
}

function inShort({
  purpose,
  method,
  url,
  status,
  ms,
  responseBytes,
  redirects,
  withheld,
  error,
}: Exchange): string {
  const parts = [
    `a2a ${purpose}: ${method} ${url}`,
    status === undefined ? 'no answer' : `HTTP ${status}`,
    ...(responseBytes === undefined ? [] : [`${responseBytes} bytes`]),
    ...(ms === undefined ? [] : [`${Math.round(ms)} ms`]),
    ...(redirects.length === 0 ? [] : [`redirected by ${redirects.join(', ')}`]),
    ...(withheld.length === 0 ? [] : [`withheld ${withheld.join(', ')}`]),
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
  ]
  return parts.join(' | ')
}

function inFull(exchange: Exchange): string {
  const { requestHeaders, requestBody, responseHeaders, responseBody } = exchange
  return [
    inShort(exchange),
    ...lines('  > ', requestHeaders, requestBody),
    ...lines('  < ', responseHeaders, responseBody),
  ].join('\n')
}

function lines(
  mark: string,
  headers: Record<string, string> | undefined,
  body: string | undefined,
): string[] {
  const shown = hideBase64(body ?? '')
  const cut = shown.length > printedCharacters ? `${shown.slice(0, printedCharacters)}…` : shown
  return [
    ...Object.entries(headers ?? {}).map(([name, value]) => `${mark}${name}: ${value}`),
    ...(cut === '' ? [] : cut.split(/\r\n?|\n/).map((line) => `${mark}${line}`)),
  ]
}
