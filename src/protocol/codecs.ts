import { A2AUsageError } from '../core/errors.ts'
import type { Codec } from './codec.ts'
import type { Binding, Dialect } from './model.ts'
import { v01 } from './v0_1.ts'
import { v02 } from './v0_2.ts'
import { v03Rest } from './v0_3_rest.ts'
import { v10, v10Rest } from './v1_0.ts'

const codecs: readonly Codec[] = [v01, v02, v03Rest, v10, v10Rest]

/** The codec of a dialect and binding. Throws A2AUsageError `BAD_OPTIONS` for 0.1 over HTTP+JSON, which never existed. */
export function codecFor(dialect: Dialect, binding: Binding): Codec {
  const codec = codecs.find((one) => one.dialect === dialect && one.binding === binding)
  if (codec !== undefined) return codec
  throw new A2AUsageError('BAD_OPTIONS', `A2A ${dialect} has no ${binding} binding`, {
    fix: `Use binding: 'JSONRPC', or another version.`,
  })
}
