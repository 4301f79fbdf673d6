import type { WireCall } from '../../bindings/binding.ts'
import { bindingFor } from '../../bindings/call.ts'
import type { Deps } from '../../core/deps.ts'
import type { HttpRequest } from '../../http/types.ts'
import type { Call, Codec } from '../../protocol/codec.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import { toMessage } from '../message.ts'
import type { Probe, ProbeOperation } from './types.ts'

/** The text of a probe's message, for an agent that accepts it. */
const text = 'Hello'

/** A request of a probe, and what it is called in its answer. */
export interface ProbeRequest {
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body' | 'purpose'>
  asked: string
}

/** An operation as its interface writes it. */
export interface EncodedProbe extends WireCall {
  purpose: string
  label: string
}

/** The operation as its interface writes it; undefined if the interface lacks it. */
export function encodeProbe(
  operation: ProbeOperation,
  to: AgentInterface,
  codec: Codec,
  deps: Deps,
): EncodedProbe | undefined {
  // One that no task has.
  const id = deps.id()
  const call = callOf(operation, to, codec, id, deps)
  if (call === undefined) return undefined
  const binding = bindingFor(call.binding)
  return {
    ...binding.encode({ call, url: to.url, id: deps.rpcId() }),
    purpose: call.method,
    label: binding.label(call).replace(id, '{id}'),
  }
}

function callOf(
  operation: ProbeOperation,
  to: AgentInterface,
  codec: Codec,
  id: string,
  deps: Deps,
): Call | undefined {
  const context = to.tenant === undefined ? {} : { tenant: to.tenant }
  const message = (): Parameters<Codec['send']> => [
    toMessage(text, {}, deps.id()),
    {
      ...context,
      newTaskId: deps.id(),
      newSessionId: deps.id(),
      ...(to.acceptedOutputModes && { configuration: { acceptedOutputModes: to.acceptedOutputModes } }),
    },
  ]
  switch (operation) {
    case 'getTask':
      return codec.getTask(id, context)
    case 'send':
      return codec.send(...message())
    case 'stream':
      return codec.stream(...message())
    case 'subscribe':
      return codec.subscribe(id, context)
    case 'cancelTask':
      return codec.cancelTask(id, context)
    case 'listTasks':
      return codec.listTasks?.({ pageSize: 1 }, context)
    case 'extendedCard':
      return codec.extendedCard?.(context)
  }
}

/** A bare GET or OPTIONS at the address of the operation. */
export function bareRequest(
  { method = 'GET', url }: Pick<Probe, 'method' | 'url'>,
  call: EncodedProbe,
  version: Record<string, string>,
): ProbeRequest {
  const headers = method === 'GET' ? { accept: 'application/json', ...version } : {}
  return {
    request: { method, url: url ?? call.url, headers, purpose: `bare ${method}` },
    asked: method,
  }
}

/** The operation itself. */
export function operationRequest(
  operation: ProbeOperation,
  { method, url, payload, purpose, label }: EncodedProbe,
  version: Record<string, string>,
): ProbeRequest {
  const isStream = operation === 'stream' || operation === 'subscribe'
  const accept = isStream ? 'text/event-stream' : 'application/json'
  return {
    request: {
      method,
      url,
      headers: { ...version, accept, ...(payload !== undefined && { 'content-type': 'application/json' }) },
      ...(payload !== undefined && { body: JSON.stringify(payload) }),
      purpose,
    },
    asked: label,
  }
}
