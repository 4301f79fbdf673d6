import type { Exchange } from '../http/types.ts'
import { showBody } from './body.ts'
import { isSensitiveHeader, redact } from '../core/redact.ts'

// Set by curl itself, or by the connection.
const implied = new Set([
  'host',
  'content-length',
  'connection',
  'user-agent',
  'accept-encoding',
  'transfer-encoding',
])
/** Longest body in characters that a `curl` line holds. */
export const longestBody = 4000

/**
 * The request as one `curl` line for a POSIX shell. Secrets stand as variables (`$TOKEN`, `$COOKIE`, `$X_API_KEY`), which the
 * line leaves to the shell; a body of more than 4000 characters is named, not printed.
 */
export function toCurl(exchange: Exchange, secrets: readonly string[] = []): string {
  const words = ['curl']
  if (exchange.method !== (exchange.requestBody === undefined ? 'GET' : 'POST')) {
    words.push('-X', quote(exchange.method))
  }
  words.push(quote(redact(exchange.url, secrets)))
  for (const [name, value] of Object.entries(exchange.requestHeaders)) {
    if (!implied.has(name.toLowerCase())) words.push('-H', header(name, value, secrets))
  }
  if (exchange.requestBody !== undefined) {
    const body = redact(showBody(exchange.requestBody), secrets)
    words.push('--data-raw', quote(body.length > longestBody ? `<${body.length} characters>` : body))
  }
  return words.join(' ')
}

function header(name: string, value: string, secrets: readonly string[]): string {
  // Within double quotes, for the variable, so only under a name that the shell leaves alone.
  if (!/^[\w-]+$/.test(name)) return quote(redact(`${name}: ${value}`, [...secrets, value]))
  if (isSensitiveHeader(name)) {
    const scheme = /^(Bearer|Basic|Digest|Token|ApiKey)\s/i.exec(value)?.[0] ?? ''
    return `"${name}: ${scheme}${variable(name)}"`
  }
  const shown = redact(value, secrets)
  return shown === value ? quote(`${name}: ${value}`) : `"${name}: ${variable(name)}"`
}

function variable(name: string): string {
  const lower = name.toLowerCase()
  if (lower === 'authorization' || lower === 'proxy-authorization') return '$TOKEN'
  return `$${lower.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
}

/** One word of a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
