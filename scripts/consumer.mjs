// A user's project around the packed tarball, for tests/package and for the runner matrix.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const manifest = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** A new folder outside the repository, so that nothing of its node_modules is found by accident. */
export function scratch(name) {
  return mkdtempSync(join(tmpdir(), `expect-a2a-${name}-`))
}

export function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Runs a command to its end. Never rejects on an exit code; colours are off. */
export function run(cwd, command, args, { env = {}, timeoutMs = 250_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      // A test that runs inside a test run must not take itself for a part of it.
      env: {
        ...Object.fromEntries(
          Object.entries(process.env).filter(([key]) => !/^(VITEST|JEST|NODE_OPTIONS|FORCE_COLOR)/.test(key)),
        ),
        NO_COLOR: '1',
        CI: 'true',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const timer = setTimeout(() => {
      output += `\n(ended after ${timeoutMs} ms)`
      child.kill('SIGKILL')
    }, timeoutMs)
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code: code ?? -1, output })
    })
  })
}

/** Packs what is in dist into a folder, as `npm publish` would, and says what is in it. */
export async function pack(folder) {
  if (!existsSync(join(root, 'dist', 'index.js'))) throw new Error('dist is empty: run `npm run build` first')
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { code, output } = await run(root, 'npm', args)
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`)
  const [packed] = JSON.parse(output.slice(output.indexOf('[')))
  return {
    tarball: join(folder, packed.filename),
    size: packed.size,
    unpackedSize: packed.unpackedSize,
    files: packed.files.map(({ path }) => path).toSorted(),
  }
}

/**
 * Makes a project from a folder of fixtures. With `install` its packages come from npm, by exact version; otherwise the tarball is
 * unpacked and `link` names packages of this repository to link, which needs no network.
 */
export async function project({ fixture, tarball, install, link = [], npmArgs = [] }) {
  const folder = scratch('consumer')
  for (const part of ['shared', fixture]) {
    cpSync(join(root, 'tests', 'package', 'fixtures', part), folder, { recursive: true })
  }
  if (!existsSync(join(folder, 'package.json'))) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }))
  }
  if (install) {
    const args = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...npmArgs]
    const { code, output } = await run(folder, 'npm', [...args, tarball, ...install], { timeoutMs: 300_000 })
    if (code !== 0) throw new Error(`npm install failed:\n${output}`)
    return folder
  }
  const home = join(folder, 'node_modules', 'expect-a2a')
  mkdirSync(home, { recursive: true })
  const { code, output } = await run(home, 'tar', ['-xzf', tarball, '--strip-components=1'])
  if (code !== 0) throw new Error(`tar failed:\n${output}`)
  for (const name of new Set([...Object.keys(manifest().dependencies), ...link])) {
    const place = join(folder, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), place, 'junction')
  }
  return folder
}

/** The version of a package that this repository has installed. */
export function installedVersion(name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
}

/** Bytes of all files below a folder, links not followed. */
export function bytes(folder) {
  return readdirSync(folder, { recursive: true })
    .map((path) => lstatSync(join(folder, String(path))))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}
