import type { Finding } from '../findings/types.ts'
import type { Binding } from '../protocol/model.ts'
import {
  badStatus,
  isGood,
  isStream,
  notJson,
  plainAnswerFinding,
  tryJson,
  typeFindings,
  withheldFindings,
  type CallResult,
} from '../http/answers.ts'
import { eventsOf } from '../http/events.ts'
import { sniff } from '../http/sniff.ts'
import type { HttpRequest, OpenResponse, Transport } from '../http/types.ts'
import type { Answered, CallContext, WireBinding } from './binding.ts'
import { jsonRpc } from './jsonrpc.ts'
import { rest } from './rest.ts'

const bindings: { readonly [B in Binding]: WireBinding<B> } = { JSONRPC: jsonRpc, 'HTTP+JSON': rest }

/** How a binding writes and reads. */
export function bindingFor(name: Binding): WireBinding {
  // A call is only ever handed to the binding that it names.
  return bindings[name] as WireBinding
}

/**
 * Makes one call in the binding that it is written for.
 * Throws A2AReplyError `RPC_ERROR` (with `rpcCode`), `HTTP_STATUS`, `NOT_JSON`, `BAD_REPLY`, and what `Transport.open` throws.
 */
export async function callAgent(transport: Transport, context: CallContext): Promise<CallResult> {
  const binding = bindingFor(context.call.binding)
  const { accept = binding.accept, addressFrom } = context
  const { request, payload } = toRequest(binding, context, accept)
  const response = await transport.open(request)
  const findings = withheldFindings(transport, response, addressFrom)
  const wantsStream = accept.includes('text/event-stream')
  const answered: Answered = { context, response, wantsStream }

  const readStream = (stream: OpenResponse): CallResult =>
    eventsOf(
      transport,
      stream,
      findings,
      binding.readEvents(answered, (finding) => findings.push(finding)),
    )
  if (isStream(response) && isGood(response.status)) return readStream(response)
  const sniffed =
    wantsStream && isGood(response.status) ? await sniff(transport, response, context) : undefined
  if (sniffed?.kind === 'stream') {
    findings.push(sniffed.finding)
    return readStream(sniffed.response)
  }
  const text = sniffed === undefined ? await response.text() : sniffed.text
  const read = readPlain(binding, text, answered, () => {
    const json = binding.hasErrorBodies ? tryJson(text)?.json : undefined
    return badStatus(
      transport,
      response,
      text,
      { body: request.body, payload, addressFrom },
      json === undefined ? {} : { data: json },
    )
  })
  findings.push(...read.findings)
  return { kind: 'result', result: read.result, findings, exchange: response.exchange }
}

function toRequest(
  binding: WireBinding,
  context: CallContext,
  accept: string,
): { request: HttpRequest; payload: unknown } {
  const { call, headers, timeoutMs, timeoutOption, addressFrom, signal } = context
  const { method, url, payload } = binding.encode(context)
  const request: HttpRequest = {
    method,
    url,
    headers:
      payload === undefined
        ? { ...headers, accept }
        : { ...headers, 'content-type': 'application/json', accept },
    purpose: call.method,
    timeoutMs,
    timeoutOption,
  }
  if (payload !== undefined) request.body = JSON.stringify(payload)
  if (addressFrom !== undefined) request.addressFrom = addressFrom
  if (signal !== undefined) request.signal = signal
  return { request, payload: binding.content(call) }
}

/** The body counts before the HTTP status, as servers pair them in every way (A2A 1.0 §9.5). */
function readPlain(
  binding: WireBinding,
  text: string,
  answered: Answered,
  failed: () => Error,
): { result: unknown; findings: Finding[] } {
  const { response, wantsStream, context } = answered
  const parsed = tryJson(text)
  const read = parsed === undefined ? undefined : binding.read(parsed.json, answered)
  if (read !== undefined) {
    const findings = [...typeFindings(response, binding.typeSource), ...read.findings]
    if (wantsStream) findings.push(plainAnswerFinding(response))
    return { result: read.result, findings }
  }
  if (!isGood(response.status)) throw failed()
  if (binding.mayBeEmpty && text.trim() === '') return { result: undefined, findings: [] }
  throw parsed === undefined
    ? notJson(response, text, binding.expected(context.call))
    : binding.unknown(parsed.json, answered)
}
