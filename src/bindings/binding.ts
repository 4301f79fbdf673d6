import type { Binding, Dialect } from '../protocol/model.ts'
import type { Call } from '../protocol/codec.ts'
import type { Finding } from '../findings/types.ts'
import type { SseEvent } from '../http/sse.ts'
import type { HttpRequest, OpenResponse } from '../http/types.ts'

/** What a call needs, whatever its binding. */
export interface CallContext<C extends Call = Call> {
  call: C
  /** How error codes are named. */
  dialect: Dialect
  /** Id of a JSON-RPC request. */
  id: number | string
  url: string
  /** Headers of the dialect; content type and accept are added. */
  headers: Record<string, string>
  timeoutMs: number
  timeoutOption: HttpRequest['timeoutOption']
  signal?: AbortSignal
  /** Path within the agent card that the address comes from. */
  addressFrom?: string
  /** Value of `Accept`; `text/event-stream` asks for a stream. */
  accept?: string
}

/** A call as an HTTP request. */
export interface WireCall {
  method: HttpRequest['method']
  url: string
  /** The JSON to send; undefined for a request without a body. */
  payload?: unknown
}

/** A response, and what is known about the call that it answers. */
export interface Answered<C extends Call = Call> {
  context: CallContext<C>
  response: OpenResponse
  wantsStream: boolean
}

export type CallOf<B extends Binding> = Extract<Call, { binding: B }>

/** How one binding writes calls and reads answers. Pure: the request itself is made in one place for all (`call.ts`). */
export interface WireBinding<B extends Binding = Binding> {
  /** Value of `Accept` for a plain answer. */
  readonly accept: string
  /** Where the content type of an answer is defined. */
  readonly typeSource: string
  encode(context: Pick<CallContext<CallOf<B>>, 'call' | 'id' | 'url'>): WireCall
  /** Name of a call that also shows the version: the JSON-RPC method, or verb and path. */
  label(call: CallOf<B>): string
  /** What a call carries, for a message about its size. */
  content(call: CallOf<B>): unknown
  /**
   * Reads the JSON of a plain answer; undefined for JSON that is not an answer in this binding. Throws the error that it is
   * (A2AReplyError).
   */
  read(json: unknown, answered: Answered<CallOf<B>>): { result: unknown; findings: Finding[] } | undefined
  /** Reads the events of one stream: gives the result that each holds, or throws the error that it is (A2AReplyError). */
  readEvents(
    answered: Answered<CallOf<B>>,
    note: (finding: Finding) => void,
  ): (json: unknown, event: SseEvent) => unknown
  /** The error for a good HTTP status with JSON that `read` does not know. */
  unknown(json: unknown, answered: Answered<CallOf<B>>): Error
  /** What a plain answer should have been, as a phrase. */
  expected(call: CallOf<B>): string
  /** True where a good status without a body is an answer. */
  readonly mayBeEmpty: boolean
  /** True where the JSON of a bad status is the data of the error. */
  readonly hasErrorBodies: boolean
}
