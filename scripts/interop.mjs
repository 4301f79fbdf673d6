// npm run test:interop: installs each agent of another framework in its own folder, and runs the tests beside it.
// An agent that cannot be had here is skipped, with the reason as the last line; what fails otherwise fails the run.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const here = `${root}interop/`
/** What npm says when the registry is out of reach, which says nothing of the agent. */
const offline =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/

const ready = []
const skipped = []
for (const name of readdirSync(here).filter((name) => existsSync(`${here}${name}/package.json`))) {
  const reason = tooOld(name) ?? missing(name)
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
  const [wanted, had] = [engines.node.replace('>=', ''), process.versions.node].map((text) =>
    text.split('.').map(Number),
  )
  const differs = wanted.findIndex((part, index) => part !== had[index])
  if (differs === -1 || had[differs] > wanted[differs]) return undefined
  return `it needs Node ${engines.node} and this is ${process.versions.node}`
}

function missing(name) {
  console.log(`npm ci in interop/${name} …`)
  const { status, error, stdout, stderr } = run('npm', ['ci', '--no-progress'], {
    cwd: `${here}${name}`,
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  const said = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`
  const code = offline.exec(said)?.[0]
  if (code !== undefined) return `npm ci does not reach the registry (${code})`
  console.error(said)
  console.error(`npm ci in interop/${name} failed`)
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
