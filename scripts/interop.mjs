// npm run test:interop: installs each agent of another framework in its own folder, in a virtual environment of Python, or builds it
// with Go, and runs the tests in it. `npm run test:interop -- model go` runs these folders only.
// An agent that cannot be installed here is skipped, and the last line says why; any other failure fails the run.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const here = `${root}interop/`
/** Where the Python agents are installed, one environment for each `requirements-*.txt`, and those in Go are built. */
const installed = `${root}node_modules/.cache/interop/`
/** What npm, pip and go say when the registry is out of reach, which says nothing of the agent. */
const offline =
  /\b(NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|dial tcp)\b/

const ready = []
const skipped = []
const folders = readdirSync(here).filter(
  (name) => name !== 'node_modules' && statSync(`${here}${name}`).isDirectory(),
)
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !folders.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. The folders of interop are: ${folders.join(', ')}.`)
  process.exit(1)
}
for (const name of wanted.length > 0 ? wanted : folders) {
  const has = (file) => existsSync(`${here}${name}/${file}`)
  const missingOne = has('package.json')
    ? missing
    : has('go.mod')
      ? missingGo
      : requirementsOf(name).length > 0
        ? missingPython
        : undefined
  if (missingOne === undefined) continue
  const reason = missingOne(name)
  if (reason === undefined) ready.push(name)
  else skipped.push(`skipped: interop/${name}, because ${reason}`)
}

const status = ready.length === 0 ? 0 : test(ready)
for (const line of skipped) console.log(line)
console.log(
  `interop: ${ready.length} tested${ready.length > 0 ? ` (${ready.join(', ')})` : ''}, ${skipped.length} skipped`,
)
process.exit(status)

function tooOld(name) {
  const { engines } = JSON.parse(readFileSync(`${here}${name}/package.json`, 'utf8'))
  const [required, current] = [engines.node.replace('>=', ''), process.versions.node].map((text) =>
    text.split('.').map(Number),
  )
  const differs = required.findIndex((part, index) => part !== current[index])
  if (differs === -1 || current[differs] > required[differs]) return undefined
  return `it needs Node ${engines.node} and this is ${process.versions.node}`
}

function missing(name) {
  const old = tooOld(name)
  if (old !== undefined) return old
  console.log(`npm ci in interop/${name} …`)
  const { status, error, stdout, stderr } = run('npm', ['ci', '--no-progress'], {
    cwd: `${here}${name}`,
    encoding: 'utf8',
  })
  if (status === 0) return existsSync(`${here}${name}/fetch.mjs`) ? missingFetched(name) : undefined
  const said = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`
  const code = offline.exec(said)?.[0]
  if (code !== undefined) return `npm ci does not reach the registry (${code})`
  if (said.includes('EBADPLATFORM')) {
    return `one of its packages is not made for ${process.platform} ${process.arch} (EBADPLATFORM)`
  }
  console.error(said)
  console.error(`npm ci in interop/${name} failed`)
  return process.exit(1)
}

/** What npm does not carry, a folder gets by its own `fetch.mjs`. */
function missingFetched(name) {
  console.log(`node interop/${name}/fetch.mjs …`)
  const { status, stdout, stderr } = run(process.execPath, ['fetch.mjs'], {
    cwd: `${here}${name}`,
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  if (status === 3) return stderr.trim().split('\n').at(-1)
  const code = offline.exec(`${stdout}${stderr}`)?.[0]
  if (code !== undefined) return `pip does not reach the package index (${code})`
  console.error(`${stdout}${stderr}`)
  console.error(`node interop/${name}/fetch.mjs failed`)
  return process.exit(1)
}

function requirementsOf(name) {
  return readdirSync(`${here}${name}`).filter((file) => /^requirements-.*\.txt$/.test(file))
}

function missingPython(name) {
  // Some of the versions that are pinned want 3.11, though the SDKs themselves run on 3.10.
  const python = ['python3', 'python'].find(
    (command) => run(command, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))']).status === 0,
  )
  if (python === undefined) return 'Python 3.11 or later with venv was not found'
  for (const file of requirementsOf(name)) {
    console.log(`pip install -r interop/${name}/${file} …`)
    const folder = `${installed}${name}-${/^requirements-(.*)\.txt$/.exec(file)[1]}`
    const bin = process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python'
    const options = { cwd: `${here}${name}`, encoding: 'utf8' }
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', file]
    for (const [command, args] of [
      [python, ['-m', 'venv', folder]],
      [`${folder}/${bin}`, install],
    ]) {
      const { status, error, stdout, stderr } = run(command, args, options)
      if (status === 0) continue
      const said = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`
      const code = offline.exec(said)?.[0]
      if (code !== undefined) return `pip does not reach the package index (${code})`
      console.error(said)
      console.error(`${command} ${args.join(' ')} failed in interop/${name}`)
      return process.exit(1)
    }
  }
  return undefined
}

function missingGo(name) {
  if (run('go', ['version']).status !== 0) return 'Go was not found'
  console.log(`go build in interop/${name} …`)
  const options = { cwd: `${here}${name}`, encoding: 'utf8' }
  const { status, error, stdout, stderr } = run(
    'go',
    ['build', '-o', `${installed}${name}/`, './...'],
    options,
  )
  if (status === 0) return undefined
  const said = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`
  if (offline.test(said)) return 'go build does not reach the module proxy'
  if (/requires go >= /.test(said)) return `its Go is too old: ${said.trim()}`
  console.error(said)
  console.error(`go build in interop/${name} failed`)
  return process.exit(1)
}

function test(names) {
  const vitest = `${root}node_modules/vitest/vitest.mjs`
  const filters = names.map((name) => `${name}/`)
  return (
    run(process.execPath, [vitest, 'run', '--config', `${here}vitest.config.ts`, ...filters], {
      cwd: root,
      stdio: 'inherit',
    }).status ?? 1
  )
}

function run(command, args, options) {
  return spawnSync(command, args, { shell: process.platform === 'win32' && command === 'npm', ...options })
}
