import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import ts from 'typescript'

/** A release of the official SDK. */
export interface Sdk {
  version: string
  /** The `TypeScript` blocks of its README, in order. */
  blocks: string[]
  /** Finds what a file in that package's folder would: the SDK itself by its real name, and its own dependencies. */
  require: (id: string) => unknown
}

/** Opens an installed SDK by the address of its main module, which says under which name it is installed. */
export function openSdk(main: string): Sdk {
  const folder = packageFolder(fileURLToPath(main))
  const inFolder = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const here = createRequire(import.meta.url)
  const inside = createRequire(join(folder, 'package.json'))
  return {
    version: (JSON.parse(inFolder('package.json')) as { version: string }).version,
    blocks: [...inFolder('README.md').matchAll(/^```typescript\n(.*?)^```$/gms)].map(([, code = '']) => code),
    require: (id) =>
      (id.startsWith(realName) ? here(id.replace(realName, basename(folder))) : inside(id)) as unknown,
  }
}

const realName = '@a2a-js/sdk'

/** The one block of a README that has this text in it. */
export function blockWith(sdk: Sdk, text: string): string {
  const found = sdk.blocks.filter((block) => block.includes(text))
  if (found.length !== 1)
    throw new Error(`${found.length} code blocks of the README of ${sdk.version} contain "${text}"`)
  return found[0] as string
}

/** A sample that runs. */
export interface RunningSample {
  /** Where it is, in the words of its own card. */
  url: string
  close(): Promise<void>
}

/**
 * Runs the TypeScript of a README as it stands there, after its types were stripped. Two things are changed from outside:
 * - the port: each number of `ports` becomes a free one, in the card and elsewhere, and what the sample hands to `listen` serves there;
 * - modules in `stubs` are replaced by these; every other one is real, as the SDK would find it.
 */
export async function runSample(
  sdk: Sdk,
  code: string,
  { ports, stubs = {} }: { ports: readonly number[]; stubs?: Record<string, unknown> },
): Promise<RunningSample> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const moved = ports.reduce(
    (text, from) => text.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), `${port}`),
    code,
  )
  const require = (id: string): unknown =>
    id in stubs ? stubs[id] : id === 'express' ? listeningOn(server, sdk.require(id)) : sdk.require(id)
  evaluate(moved, require)
  if (server.listenerCount('request') === 0) throw new Error('The sample never called listen().')
  return {
    url: `http://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const quiet = { log: () => undefined, info: () => undefined, error: console.error, warn: console.warn }

function evaluate(code: string, require: (id: string) => unknown): void {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      esModuleInterop: true,
    },
  })
  compileFunction(outputText, ['require', 'exports', 'console'])(require, {}, quiet)
}

/** Express, whose apps serve on a server that listens already instead of opening a port. */
function listeningOn(server: Server, express: unknown): unknown {
  const make = express as () => RequestListener & { listen: unknown }
  return Object.assign(() => {
    const app = make()
    app.listen = (_port: unknown, done?: () => void) => {
      server.on('request', app)
      done?.()
      return server
    }
    return app
  }, make)
}

function packageFolder(file: string): string {
  const folder = dirname(file)
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }
    if (name === realName) return folder
  } catch {
    // Not this folder: the one above.
  }
  return packageFolder(folder)
}
