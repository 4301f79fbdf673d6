import { A2AUsageError } from '../core/errors.ts'
import type { Codec } from './codec.ts'
import { v01 } from './codecs/v0_1.ts'
import { v03 } from './codecs/v0_3.ts'
import { v03Rest } from './codecs/v0_3_rest.ts'
import { v10, v10Rest } from './codecs/v1_0.ts'
import type { Binding, Dialect } from './model.ts'

/** A binding that a version does not have is undefined. */
const codecs: Readonly<Record<Dialect, Readonly<Record<Binding, Codec | undefined>>>> = {
  '0.1': { JSONRPC: v01, 'HTTP+JSON': undefined },
  '0.3': { JSONRPC: v03, 'HTTP+JSON': v03Rest },
  '1.0': { JSONRPC: v10, 'HTTP+JSON': v10Rest },
}

/** The codec of a dialect and binding. Throws A2AUsageError `BAD_OPTIONS` for 0.1 over HTTP+JSON, which never existed. */
export function codecFor(dialect: Dialect, binding: Binding): Codec {
  const codec = codecs[dialect][binding]
  if (codec !== undefined) return codec
  throw new A2AUsageError('BAD_OPTIONS', `A2A ${dialect} has no ${binding} binding`, {
    fix: `Use binding: 'JSONRPC', or another version.`,
  })
}
