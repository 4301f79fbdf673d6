import { doubledPathHint } from '../card/placement.ts'
import { A2AReplyError, isReplyError, type A2AErrorCode, type A2AReplyErrorDetail } from '../errors.ts'
import type { FilePart } from '../protocol/model.ts'
import type { Exchange } from '../transport/types.ts'
import { answerOf, type FailedTry } from './fallback.ts'
import { describeFiles } from './message.ts'

/** The error when no dialect is known at any address: the first answer decides, for it is what the card promised. */
export function explainUnknownMethods(
  failed: readonly FailedTry[],
  lastResort: string | undefined,
): A2AReplyError {
  const [first, ...others] = failed
  if (first === undefined) return new A2AReplyError('NO_INTERFACE', 'there is no way to call the agent')
  const also = others.map(({ method, error }) => `${method} → ${answerOf(error)}`).join(', ')
  const tried = also === '' ? '' : `; then ${also}`
  if (lastResort !== undefined) {
    return again(first.error, {
      code: 'NO_INTERFACE',
      message:
        `the agent card offers ${lastResort}, which this client cannot call, and JSON-RPC at the agent's own address failed: ` +
        `${first.error.message}${tried}`,
      mend: 'list a JSONRPC or HTTP+JSON interface in the card, or set the options endpoint, binding and version',
    })
  }
  return also === '' ? first.error : again(first.error, { message: `${first.error.message}${tried}` })
}

/** Adds what only the client knows to a wrong answer: how large the message was, and what looks odd about the address. */
export function explainFailure(
  error: unknown,
  about: { large: readonly FilePart[]; exchanges: readonly Exchange[]; typedUrl: string },
): unknown {
  if (!isReplyError(error)) return error
  const exchange = about.exchanges.at(-1)
  let { message, mend } = error
  if (
    about.large.length > 0 &&
    exchange?.requestBody !== undefined &&
    (error.status !== undefined || error.rpcCode !== undefined)
  ) {
    const bytes = Buffer.byteLength(exchange.requestBody)
    message = `${capital(answerOf(error))} for a request of ${bytes} bytes (${describeFiles(about.large)}): ${message}`
    mend ??= 'send the file by reference ({kind: "file", url}), or raise the limit of the agent'
  }
  if (exchange !== undefined && (error.status === 404 || error.status === 405)) {
    const hint = doubledPathHint(exchange.url, about.typedUrl)
    if (hint !== undefined) message = `${message}; ${hint}`
  }
  return message === error.message && mend === error.mend
    ? error
    : again(error, { message, ...(mend !== undefined && { mend }) })
}

function capital(answer: string): string {
  return answer.startsWith('HTTP') ? answer : `error ${answer}`
}

function again(
  error: A2AReplyError,
  change: { code?: A2AErrorCode; message?: string; mend?: string },
): A2AReplyError {
  const mend = change.mend ?? error.mend
  const detail: A2AReplyErrorDetail = {
    transient: error.transient,
    cause: error,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.rpcCode !== undefined && { rpcCode: error.rpcCode }),
    ...(error.data !== undefined && { data: error.data }),
    ...(mend !== undefined && { mend }),
  }
  return new A2AReplyError(change.code ?? error.code, change.message ?? error.message, detail)
}
