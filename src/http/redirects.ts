import { A2APolicyError, A2AReplyError } from '../core/errors.ts'
import { what } from './errors.ts'
import type { ResponseHead } from './response.ts'
import type { HttpRequest } from './types.ts'

const redirecting = new Set([301, 302, 303, 307, 308])

/**
 * Where an answer leads to, or undefined when it is to be read itself. 307 and 308 keep the method and the body; the others
 * turn a POST into a GET in most clients, so on anything but a GET they are an error.
 */
export function redirectTarget(
  { method }: HttpRequest,
  { status, headers }: ResponseHead,
  url: URL,
  before: readonly string[],
  maxRedirects: number,
): URL | undefined {
  const location = headers['location']
  if (!redirecting.has(status) || location === undefined || method === 'OPTIONS') return undefined
  const label = what({ method, url })
  let target: URL
  try {
    target = new URL(location, url)
  } catch {
    throw new A2AReplyError(
      'BAD_REPLY',
      `${label} answered ${status} with a location that is not a URL: "${location}"`,
      { finding: 'http/redirect', status },
    )
  }
  target.username = ''
  target.password = ''
  target.hash = ''
  if (status < 307 && method !== 'GET') {
    throw new A2AReplyError(
      'HTTP_STATUS',
      `${label} answered HTTP ${status} with a redirect to ${target.origin}${target.pathname}; ` +
        `following it would turn the ${method} into a GET and lose its body`,
      {
        finding: 'http/redirect',
        status,
        fix:
          'Write the final address into the agent card (mind http or https and a slash at the end), ' +
          'or let the server redirect with 307 or 308.',
      },
    )
  }
  if (before.length >= maxRedirects) {
    const chain = [...before, `${url.origin}${url.pathname}`]
    throw new A2APolicyError(
      'TOO_MANY_REDIRECTS',
      `${what({ method, url: new URL(chain[0] as string) })} was redirected more than ${maxRedirects} times ` +
        `(option limits.maxRedirects): ${chain.join(' -> ')} -> ${target.origin}${target.pathname}`,
      chain.includes(`${target.origin}${target.pathname}`)
        ? { fix: 'The addresses go in a circle.' }
        : undefined,
    )
  }
  return target
}
