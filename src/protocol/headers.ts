import type { Dialect } from './model.ts'
import { profileOf } from './versions/profiles.ts'

/** The header with which 1.0 announces the version (A2A 1.0 §3.6). */
export const versionHeader = 'A2A-Version'

/** `Major.Minor` of the version that a card announced; `1.0` when that is not a version 1. */
export function wireVersion(version: string | undefined): string {
  const found = /^\s*v?1\.(\d{1,4})(?:\D|$)/.exec(version ?? '')
  return found === null ? '1.0' : `1.${found[1]}`
}

/** The header that names the extensions a client wants active; empty for none, and in 0.1, which has no extensions. */
export function extensionHeaders(dialect: Dialect, uris: readonly string[]): Record<string, string> {
  const name = profileOf(dialect).headers.extensions
  return name === undefined || uris.length === 0 ? {} : { [name]: uris.join(',') }
}
