import type { Binding, Dialect, Version } from '../model.ts'
import { protoNames, type Operation, type Profile } from './profile.ts'
import { v01 } from './v0_1.ts'
import { v02 } from './v0_2.ts'
import { v03 } from './v0_3.ts'
import { v10 } from './v1_0.ts'

const profiles: Readonly<Record<Version, Profile>> = { '0.1': v01, '0.2': v02, '0.3': v03, '1.0': v10 }

export const versionNames: readonly string[] = Object.keys(profiles)

/** What is special about a version. */
export function profileOf(version: Version): Profile {
  return profiles[version]
}

/** The dialect in which a version speaks: 0.2 and 0.3 share one. */
export function dialectOf(version: Version): Dialect {
  return profiles[version].dialect
}

/** True where a version has that binding: 0.1 knows JSON-RPC only. */
export function hasBinding(version: Version, binding: Binding): boolean {
  return profiles[version].names[binding] !== undefined
}

/** Name of an operation as an interface calls it: the JSON-RPC method, or the operation of the HTTP+JSON binding. */
export function operationName(
  operation: Operation,
  { dialect, binding = 'JSONRPC' }: { dialect: Dialect; binding?: Binding },
): string {
  return (profiles[dialect].names[binding] ?? protoNames)[operation]
}
