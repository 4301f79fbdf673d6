import {
  A2AConnectionError,
  A2AReplyError,
  A2AUsageError,
  isA2AError,
  type A2AError,
} from '../core/errors.ts'
import { canonicalHost } from './hosts.ts'

/** What was being done when a request failed, for its message. */
export interface FailureContext {
  method: string
  /** Without credentials in it. */
  url: URL
  /** Path within the agent card, when the address comes from there. */
  addressFrom?: string
  /** `head` until the headers are there. */
  phase: 'head' | 'body'
  /** Bytes of the body that had arrived. */
  bytes?: number
}

interface SystemFault {
  code?: unknown
  message?: unknown
  name?: unknown
  address?: unknown
  port?: unknown
  errors?: unknown
  cause?: unknown
}

const certificateFaults: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain ends in an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the authority that signed its certificate is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority that signed its certificate is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority that signed its certificate is not known here',
  CERT_UNTRUSTED: 'its certificate is not trusted here',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to the host',
  EHOSTDOWN: 'the host is down',
  ENETUNREACH: 'the network is unreachable',
  EADDRNOTAVAIL: 'the address is not available on this machine',
  EACCES: 'the system forbids the connection',
  EPERM: 'the system forbids the connection',
}

const broken = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED'])

/**
 * Turns what undici or Node threw into a full sentence: which address, which addresses were tried, why, and how to fix it.
 * Gives A2AConnectionError `UNREACHABLE` or `TLS`, A2AUsageError `BAD_OPTIONS`, or the error itself when it is ours already.
 */
export function describeFailure(error: unknown, context: FailureContext): A2AError {
  if (isA2AError(error)) return error
  const fault = rootOf(error)
  const code = codeOf(fault)
  const { url } = context
  const where = `${hostOf(url)}${tried(fault, url)}`
  const source = fromCard(context)
  const connection = (kind: 'UNREACHABLE' | 'TLS', message: string, fix?: string): A2AError =>
    new A2AConnectionError(kind, `${message}${source}`, {
      cause: error,
      ...fixWith(fix, context.addressFrom),
    })

  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_ARG_VALUE') {
    return new A2AUsageError('BAD_OPTIONS', `the request could not be made: ${textOf(fault)}`, {
      cause: error,
      fix: 'Look at the option headers: a name or a value there cannot be sent over HTTP.',
    })
  }
  if (code.startsWith('ERR_OSSL_')) {
    return new A2AUsageError('BAD_OPTIONS', `option tls cannot be used: ${textOf(fault)}`, {
      cause: error,
      fix: 'Give tls.ca, tls.cert and tls.key the text of PEM files; tls.passphrase opens an encrypted key.',
    })
  }
  if (code in certificateFaults) {
    const why = code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? ` (${textOf(fault)})` : ` (${code})`
    return connection(
      'TLS',
      `the TLS certificate of ${where} was not accepted: ${certificateFaults[code]}${why}`,
      fixCertificate(code),
    )
  }
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(code + textOf(fault))) {
    return connection(
      'TLS',
      `${where} does not speak TLS (${code})`,
      `If it is a plain http server, use http://${hostOf(url)}.`,
    )
  }
  if (/CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE/i.test(code + textOf(fault))) {
    return connection(
      'TLS',
      `${where} refused the TLS handshake (${code})`,
      'Servers that ask for a client certificate do so: options tls.cert and tls.key.',
    )
  }
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') {
    return connection('TLS', `the TLS handshake with ${where} failed: ${textOf(fault)}`)
  }
  if (code === 'ENOTFOUND' || code === 'ENODATA') {
    return connection(
      'UNREACHABLE',
      `could not connect to ${hostOf(url)}: the host name "${url.hostname}" is not known (${code})`,
      'Check its spelling, and whether this machine can resolve it (VPN, container network).',
    )
  }
  if (code === 'EAI_AGAIN' || code === 'ESERVFAIL') {
    return connection(
      'UNREACHABLE',
      `could not connect to ${hostOf(url)}: no name server answered for "${url.hostname}" (${code})`,
      'Check that this machine has a network and a working DNS.',
    )
  }
  if (code in unreachable) {
    return connection(
      'UNREACHABLE',
      `could not connect to ${where}: ${unreachable[code]}`,
      code === 'ECONNREFUSED' ? fixRefused(fault, url) : undefined,
    )
  }
  // undici leaves the code out in some of its versions.
  if (code.startsWith('HPE_') || fault.name === 'HTTPParserError') {
    const why = code === '' ? textOf(fault) : code
    return new A2AReplyError('BAD_REPLY', `${where} did not answer ${what(context)} with HTTP (${why})`, {
      finding: 'http/not-http',
      cause: error,
      fix: `Is it another service, or one that wants https://${hostOf(url)}?`,
    })
  }
  if (/Proxy response \((\d+)\)/.test(textOf(fault))) {
    return connection(
      'UNREACHABLE',
      `could not connect to ${hostOf(url)} through the proxy: ${textOf(fault)}`,
      'The proxy comes from HTTP_PROXY or HTTPS_PROXY; NO_PROXY names hosts that are reached directly.',
    )
  }
  if (broken.has(code)) {
    return connection(
      'UNREACHABLE',
      context.phase === 'head'
        ? `${where} closed the connection before it answered ${what(context)} (${readable(fault, code)})`
        : `the connection broke within the answer to ${what(context)}, after ${context.bytes ?? 0} bytes (${readable(fault, code)})`,
    )
  }
  return connection('UNREACHABLE', `${what(context)} failed: ${readable(fault, code)}`)
}

/** The error for a request that took too long. */
export function timedOut(
  context: FailureContext,
  ms: number,
  option: 'requestTimeoutMs' | 'limits.cardTimeoutMs' | 'deadlineMs',
): A2AConnectionError {
  const message =
    context.phase === 'head'
      ? `no response headers from ${what(context)} within ${ms} ms (option ${option})`
      : `the answer to ${what(context)} did not end within ${ms} ms (option ${option}); ${context.bytes ?? 0} bytes had arrived`
  return new A2AConnectionError(
    option === 'deadlineMs' ? 'DEADLINE' : 'TIMEOUT',
    `${message}${fromCard(context)}`,
    {
      fix: `If the agent is that slow, raise ${option}.`,
    },
  )
}

/** The error for a request that somebody gave up on; the reason itself when it is ours already. */
export function abortedBy(reason: unknown, context: FailureContext): A2AError {
  if (isA2AError(reason)) return reason
  const why = reason === undefined ? '' : `: ${textOf(reason as SystemFault)}`
  return new A2AConnectionError('ABORTED', `${what(context)} was aborted by its caller${why}`, {
    ...(reason === undefined ? {} : { cause: reason }),
  })
}

/** `POST http://127.0.0.1:4100/rpc`, without query: keys may stand there. */
export function what({ method, url }: Pick<FailureContext, 'method' | 'url'>): string {
  return `${method} ${url.origin}${url.pathname}`
}

function fromCard({ addressFrom }: FailureContext): string {
  return addressFrom === undefined ? '' : `; the address comes from the agent card (${addressFrom})`
}

function fixWith(fix: string | undefined, addressFrom: string | undefined): { fix?: string } {
  const override =
    addressFrom === undefined
      ? undefined
      : 'Option endpoint calls another address than the one in the agent card.'
  const all = [fix, override].filter((each) => each !== undefined).join(' ')
  return all === '' ? {} : { fix: all }
}

function fixCertificate(code: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Call the host by a name that its certificate lists, or renew the certificate.'
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'Renew the certificate, or set the clock of this machine.'
  return 'If its authority is your own, pass that one with the option tls.ca (PEM), or set NODE_EXTRA_CA_CERTS.'
}

function fixRefused(fault: SystemFault, url: URL): string {
  const addresses = addressesOf(fault)
  const onlySix = addresses.length > 0 && addresses.every(({ address }) => address.includes(':'))
  const isLocalName = canonicalHost(url.hostname) === 'localhost'
  return isLocalName && onlySix
    ? `Is the agent running? If it listens on IPv4 only, use ${url.protocol}//127.0.0.1${url.port === '' ? '' : `:${url.port}`}.`
    : 'Is the agent running?'
}

function hostOf(url: URL): string {
  return url.port === '' ? `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}` : url.host
}

/** ` (tried ::1, 127.0.0.1)`: left out when it only repeats the host. */
function tried(fault: SystemFault, url: URL): string {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const shown = addressesOf(fault).map((each) =>
    each.port === undefined || each.port === port
      ? each.address
      : each.address.includes(':')
        ? `[${each.address}]:${each.port}`
        : `${each.address}:${each.port}`,
  )
  const different = [...new Set(shown)]
  if (different.length === 0 || (different.length === 1 && different[0] === canonicalHost(url.hostname)))
    return ''
  return ` (tried ${different.join(', ')})`
}

function addressesOf(fault: SystemFault): { address: string; port?: number }[] {
  const each = Array.isArray(fault.errors) ? (fault.errors as SystemFault[]) : [fault]
  return each.flatMap(({ address, port }) =>
    typeof address === 'string' ? [{ address, ...(typeof port === 'number' ? { port } : {}) }] : [],
  )
}

/** The innermost error that says something: fetch and undici wrap the system's one as `cause`. */
function rootOf(error: unknown): SystemFault {
  let fault = (
    typeof error === 'object' && error !== null ? error : { message: String(error) }
  ) as SystemFault
  for (let depth = 0; depth < 5; depth++) {
    const next = fault.cause as SystemFault | undefined
    const says = typeof fault.code === 'string' && fault.code !== 'UND_ERR_ABORTED'
    if (says || typeof next !== 'object' || next === null) break
    fault = next
  }
  return fault
}

function codeOf(fault: SystemFault): string {
  if (typeof fault.code === 'string') return fault.code
  const inner = Array.isArray(fault.errors) ? (fault.errors[0] as SystemFault | undefined)?.code : undefined
  return typeof inner === 'string' ? inner : ''
}

function readable(fault: SystemFault, code: string): string {
  const text = textOf(fault)
  if (text.includes(code)) return text
  return code === '' ? text : `${text}, ${code}`
}

/** Never empty: an AggregateError, for one, has no message. */
function textOf(fault: SystemFault): string {
  for (const each of [fault.message, fault.code, fault.name]) {
    if (typeof each === 'string' && each.trim() !== '') return each.trim().replace(/\s+/g, ' ')
  }
  return typeof fault === 'string' ? fault : 'unknown cause'
}
