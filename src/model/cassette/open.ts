import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '../../core/deps.ts'
import { cassetteOptions, configuration, testPlace } from '../configuration.ts'
import type { CassetteMode, CassetteOptions } from '../types.ts'
import { Cassette } from './cassette.ts'
import { claimFile } from './file.ts'

/** The options of a call that decide about its cassette. */
export interface OpenCassetteOptions {
  cassette?: CassetteMode | CassetteOptions | undefined
  /** Default: the name of the running test. */
  name?: string | undefined
  redact?: ((text: string) => string) | undefined
  secrets?: (() => readonly string[]) | undefined
  env: Deps['env']
}

const defaultFolder = 'a2a-cassettes'

/** The cassette of a conversation; undefined if cassettes are off. Throws A2AUsageError `BAD_OPTIONS`. */
export function openCassette({
  cassette,
  name,
  redact,
  secrets,
  env,
}: OpenCassetteOptions): Cassette | undefined {
  const ofCall = cassetteOptions(cassette)
  const options: CassetteOptions = { ...cassetteOptions(configuration(env).cassettes), ...ofCall }
  const { folder = defaultFolder, file, mode = defaultMode(env, folder, file) } = options
  if (mode === 'off') return undefined
  const key = env['OPENAI_API_KEY'] ?? ''
  return new Cassette({
    mode,
    byCall: ofCall.mode !== undefined,
    options,
    file: claimFile({ folder, file, name, writes: mode !== 'replay' }, testPlace()),
    secrets: () => [...(secrets?.() ?? []), ...(key === '' ? [] : [key])],
    redact,
  })
}

/** In CI no model is called if there are recordings to replay. */
function defaultMode(env: Deps['env'], folder: string, file: string | undefined): CassetteMode {
  const ci = env['CI'] ?? ''
  if (ci === '' || ci === 'false' || ci === '0') return 'off'
  return existsSync(folder) || (file !== undefined && existsSync(join(folder, file))) ? 'replay' : 'off'
}
