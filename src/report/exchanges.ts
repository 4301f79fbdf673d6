import type { CardAttempt } from '../card/types.ts'
import type { Exchange } from '../http/types.ts'
import { cut, showBody, size } from './body.ts'
import { longestBody, toCurl } from './curl.ts'
import { isSensitiveHeader, redact } from '../core/redact.ts'

const shown = 5

/** Values of sensitive headers that went over the wire: secrets even when nobody named them so. */
export function secretsOf(exchanges: readonly Exchange[]): string[] {
  const found: string[] = []
  for (const { requestHeaders, responseHeaders = {} } of exchanges) {
    for (const [name, value] of [...Object.entries(requestHeaders), ...Object.entries(responseHeaders)]) {
      // A scheme without a credential is no secret, and its name stands in half of all messages.
      if (!isSensitiveHeader(name) || /^(Bearer|Basic|Digest|Token|ApiKey)$/i.test(value.trim())) continue
      const bare = value.replace(/^(Bearer|Basic|Digest|Token|ApiKey)\s+/i, '')
      found.push(value, bare)
      if (/cookie$/i.test(name)) found.push(...cookieValues(value))
    }
  }
  return found
}

function cookieValues(header: string): string[] {
  // Attributes such as `Path=/` are no secrets, and shorter than one.
  return header.split(/;\s*/).flatMap((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1)
    return value.length >= 8 && !/^(path|domain|expires|max-age|samesite)=/i.test(pair) ? [value] : []
  })
}

/** One line for each card location: what was tried and what it answered. */
export function attemptLines(attempts: readonly CardAttempt[]): string[] {
  const width = Math.min(80, Math.max(...attempts.map(({ url }) => url.length)))
  return attempts.map(
    ({ url, outcome, found }) => `  ${url.padEnd(width)}  ${outcome}${found ? '  ← used' : ''}`,
  )
}

/** The last requests behind a verdict, the last of them with what it received and as a `curl` line that holds what was sent. */
export function exchangeLines(exchanges: readonly Exchange[], secrets: readonly string[]): string[] {
  const last = exchanges.slice(-shown)
  const lines = last.flatMap((exchange, index) => [
    ...summary(exchange),
    ...(index === last.length - 1 ? bodies(exchange, secrets) : []),
  ])
  const earlier = exchanges.length - last.length
  if (earlier > 0) lines.unshift(`  … ${earlier} earlier`)
  const final = last.at(-1)
  if (final !== undefined) lines.push('', `  ${toCurl(final, secrets)}`)
  return lines
}

function summary(exchange: Exchange): string[] {
  const lines = [`  ${exchange.method} ${exchange.url} → ${answer(exchange)}`]
  for (const url of exchange.redirects) lines.push(`    redirected from ${url}`)
  if (exchange.withheld.length > 0) {
    lines.push(
      `    not sent to this origin: ${exchange.withheld.join(', ')} (option trustedOrigins lists origins that may see them)`,
    )
  }
  return lines
}

function answer({ status, responseHeaders, responseBytes, ms, error }: Exchange): string {
  const type = responseHeaders?.['content-type']?.split(';')[0]?.trim().toLowerCase()
  return [
    status === undefined ? 'no response' : String(status),
    type,
    responseBytes === undefined ? undefined : size(responseBytes),
    ms === undefined ? undefined : `${Math.round(ms)} ms`,
    error === undefined ? undefined : `(${error.code})`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

function bodies({ requestBody, responseBody }: Exchange, secrets: readonly string[]): string[] {
  const lines: string[] = []
  // Redacted before it is cut: half a secret is one too.
  const show = (label: string, body: string | undefined): void => {
    if (body === undefined || body.trim() === '') return
    const text = cut(redact(showBody(body), secrets), { lines: 6, chars: 600 })
    lines.push(`    ${label} ${text.replaceAll('\n', `\n${' '.repeat(label.length + 5)}`)}`)
  }
  // Else it stands in the `curl` line below.
  if ((requestBody?.length ?? 0) > longestBody) show('sent    ', requestBody)
  show('received', responseBody)
  return lines
}
