import { readFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'

const read = (name: string): string => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8')

/** The authority that signed `testTls`; worthless outside these tests, its key was thrown away. */
export const testCa: string = read('ca.crt')

/** A certificate for desk.example, *.example, *.desk.example, localhost and 127.0.0.1. */
export const testTls: { key: string; cert: string } = { key: read('server.key'), cert: read('server.crt') }

/** A lookup that finds every name on this machine, so that a test can call a public host. */
export const loopbackLookup: LookupFunction = (_host, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
}
