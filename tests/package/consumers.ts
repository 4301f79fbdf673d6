import { afterAll, beforeAll } from 'vitest'
import { installedVersion, pack, project, remove, scratch } from '../../scripts/consumer.mjs'

declare global {
  interface ImportMeta {
    readonly env: { readonly MODE: string }
  }
}

/** `--mode install` takes everything from npm as a user would; else what this repository has is linked. */
export const fromNpm: boolean = import.meta.env.MODE === 'install'

/** Makes a project from a fixture that has the package and some others; gone when the file ends. */
export type MakeConsumer = (fixture: string, packages: readonly string[]) => Promise<string>

/** Packs once a test file, and removes every project afterwards. */
export function setUpConsumers(): MakeConsumer {
  const home = scratch('tarball')
  const folders = [home]
  let tarball = ''
  beforeAll(async () => {
    tarball = (await pack(home)).tarball
  })
  afterAll(() => folders.forEach(remove))
  return async (fixture, packages) => {
    const versions = packages.map((name) => `${name}@${installedVersion(name)}`)
    const source = fromNpm ? { install: versions } : { link: packages }
    const folder = await project({ fixture, tarball, ...source })
    folders.push(folder)
    return folder
  }
}
