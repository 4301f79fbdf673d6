import { faults, type Fault, type WireReply } from '../../src/testing/index.ts'
import type { FaultyAgent } from './faultyAgent.ts'
import { answering, bytes, echo10, http, itself } from './baseAgents.ts'

const html = { 'content-type': 'text/html' }
const instead = (reply: WireReply): Fault => faults.callReply(reply)

/** What HTTP, or a proxy before the agent, does to a call. */
export const httpAnswers: FaultyAgent[] = [
  {
    name: 'fails with a page',
    finding: 'http/status',
    level: 'error',
    message: 'answered HTTP 500: an HTML page titled "Application error" (login page or proxy?)',
    start: echo10,
    fault: instead({ status: 500, headers: html, text: '<title>Application error</title>' }),
  },
  {
    name: 'is out of service for a while',
    finding: 'http/status',
    level: 'error',
    message: 'answered HTTP 503 (Retry-After: 120): "deploying"',
    start: echo10,
    fault: instead({ status: 503, headers: { 'retry-after': '120' }, text: 'deploying' }),
  },
  {
    name: 'is not where its card says',
    finding: 'http/status',
    level: 'error',
    message: 'this address comes from the agent card (supportedInterfaces[0].url)',
    start: echo10,
    fault: instead({ status: 404, text: 'no route' }),
  },
  {
    name: 'takes no JSON',
    finding: 'http/status',
    level: 'error',
    message: 'answered HTTP 415: "Unsupported Media Type"',
    start: echo10,
    fault: instead({ status: 415, text: 'Unsupported Media Type' }),
  },
  {
    name: 'wants a token that its card does not mention',
    finding: 'http/unauthorized',
    level: 'error',
    message: 'answered HTTP 401 (WWW-Authenticate: Bearer realm="helpdesk"): "no token"',
    start: echo10,
    fault: instead({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="helpdesk"' },
      text: 'no token',
    }),
  },
  {
    name: 'forbids what its card offers',
    finding: 'http/unauthorized',
    level: 'error',
    message: 'answered HTTP 403: "not on the list"',
    start: echo10,
    fault: instead({ status: 403, json: { detail: 'not on the list' } }),
  },
  {
    name: 'answers with a login page',
    finding: 'http/not-json',
    level: 'error',
    message: 'answered HTTP 200 text/html with an HTML page titled "Log in" (login page or proxy?)',
    start: echo10,
    fault: instead({ headers: html, text: '<!doctype html><title>Log in</title>' }),
  },
  {
    name: 'answers with an empty body',
    finding: 'http/not-json',
    level: 'error',
    message: 'answered HTTP 202 with an empty body, not with a JSON-RPC response',
    start: echo10,
    fault: instead({ status: 202 }),
  },
  {
    name: 'truncates its JSON',
    finding: 'http/not-json',
    level: 'error',
    message: 'not with a JSON-RPC response',
    start: echo10,
    fault: answering((own) => ({
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify(own.json).slice(0, -3),
    })),
  },
  {
    name: 'redirects a call as if it were a page',
    finding: 'http/redirect',
    level: 'error',
    message: 'following it would turn the POST into a GET and lose its body',
    start: echo10,
    fault: instead({ status: 302, headers: { location: '/a2a/jsonrpc/' } }),
  },
  {
    name: 'redirects to no address',
    finding: 'http/redirect',
    level: 'error',
    message: 'answered 307 with a location that is not a URL: "http://"',
    start: echo10,
    fault: instead({ status: 307, headers: { location: 'http://' } }),
  },
  {
    name: 'says gzip and sends plain text',
    finding: 'http/content-encoding',
    level: 'error',
    message: 'says content-encoding "gzip", but its body is not gzip',
    start: echo10,
    fault: answering((own) => ({ ...own, headers: { 'content-encoding': 'gzip' } })),
  },
  {
    name: 'compresses in a way that was not asked for',
    finding: 'http/content-encoding',
    level: 'error',
    message: 'has content-encoding "zstd", which was not asked for',
    start: echo10,
    fault: answering((own) => ({ ...own, headers: { 'content-encoding': 'zstd' } })),
  },
  {
    name: 'does not speak HTTP',
    finding: 'http/not-http',
    level: 'error',
    message: 'with HTTP (Response does not match the HTTP/1.1 protocol (Expected HTTP/',
    start: bytes({ send: '220 desk.example ESMTP\r\n' }),
    fault: itself,
  },
  {
    name: 'sends an invalid header',
    finding: 'http/not-http',
    level: 'error',
    message: '(Invalid header token)',
    start: bytes({ send: http('application/json', '{}', 'no colon here\r\n') }),
    fault: itself,
  },
]
