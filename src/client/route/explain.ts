import { addressPath, doubledPathHint } from '../../card/placement.ts'
import {
  A2AReplyError,
  isReplyError,
  type A2AErrorCode,
  type A2AReplyErrorDetail,
} from '../../core/errors.ts'
import type { AgentInterface, FilePart } from '../../protocol/model.ts'
import { answerOf } from './fallback.ts'
import type { FailedTry } from './types.ts'
import { describeFiles } from '../message.ts'

/** The error if no dialect is known at any address: the first answer decides, because it is what the card promised. */
export function explainUnknownMethods(
  failed: readonly FailedTry[],
  lastResort: string | undefined,
  typedUrl: string,
): unknown {
  const [first, ...others] = failed
  if (first === undefined) return new A2AReplyError('NO_INTERFACE', 'the agent has no interface to call')
  const also = others.map(({ method, error }) => `${method} → ${answerOf(error)}`).join(', ')
  const tried = also === '' ? '' : `; then ${also}`
  if (lastResort !== undefined) {
    return again(first.error, {
      code: 'NO_INTERFACE',
      message:
        `the agent card offers ${lastResort}, which this client cannot call, and JSON-RPC at the agent's own address ` +
        `failed: ${first.error.message}${tried}`,
      fix: 'List a JSONRPC or HTTP+JSON interface in the card, or set the options endpoint, binding and version.',
    })
  }
  const error = also === '' ? first.error : again(first.error, { message: `${first.error.message}${tried}` })
  return withAddress(error, first.interface, typedUrl)
}

/** Adds to an error in another dialect than the card's why that dialect was tried. */
export function withEarlier(error: unknown, failed: readonly FailedTry[]): unknown {
  if (!isReplyError(error) || failed.length === 0) return error
  const earlier = failed.map((one) => `${one.method} → ${answerOf(one.error)}`).join(', ')
  return again(error, { message: `${error.message}; before that ${earlier}` })
}

/** Adds to a refused HTTP request where its address comes from, and whether that looks odd. */
export function withAddress(error: unknown, { url, path }: AgentInterface, typedUrl: string): unknown {
  if (!isReplyError(error) || path === undefined) return error
  if (error.code !== 'HTTP_STATUS' && error.code !== 'NOT_JSON') return error
  const hint = error.status === 404 || error.status === 405 ? doubledPathHint(url, typedUrl) : undefined
  return again(error, {
    message:
      `${error.message}; this address comes from the agent card (${addressPath(path)})` +
      (hint === undefined ? '' : `; ${hint}`),
  })
}

/** Adds the size of a refused message that has large files: the size may be all that is wrong. */
export function withSize(error: unknown, large: readonly FilePart[], bytes: number | undefined): unknown {
  // An HTTP 413 says it already.
  if (!isReplyError(error) || large.length === 0 || bytes === undefined || error.status === 413) return error
  return again(error, {
    message: `${error.message}, for a request of ${bytes} bytes (${describeFiles(large)})`,
    fix: error.fix ?? 'Send smaller files, or files by url; or raise the limit of the agent.',
  })
}

/** Adds to a refused streaming call that the card declares it. */
export function withPromise(error: unknown, capability: string): unknown {
  if (!isReplyError(error) || (error.rpcCode !== -32004 && error.rpcCode !== -32601)) return error
  return again(error, { message: `${error.message}; the card declares ${capability}` })
}

function again(
  error: A2AReplyError,
  change: { code?: A2AErrorCode; message?: string; fix?: string },
): A2AReplyError {
  const fix = change.fix ?? error.fix
  const detail: A2AReplyErrorDetail = {
    transient: error.transient,
    cause: error,
    ...(change.code === undefined && { finding: error.finding }),
    ...(error.status !== undefined && { status: error.status }),
    ...(error.rpcCode !== undefined && { rpcCode: error.rpcCode }),
    ...(error.data !== undefined && { data: error.data }),
    ...(fix !== undefined && { fix }),
  }
  return new A2AReplyError(change.code ?? error.code, change.message ?? error.message, detail)
}
