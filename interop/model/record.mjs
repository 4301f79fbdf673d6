// node interop/model/record.mjs: records the cassette of examples/small-model.spec.ts again, with the model of "npm run fetch".
// Needed when a prompt has changed. The conversation is different each time, so it is repeated until it passes.
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tries = 5

const built = run('node_modules/tsdown/dist/run.mjs', ['--silent'])
if (built !== 0) process.exit(built)
const server = spawn(process.execPath, ['serve.mjs'], {
  cwd: import.meta.dirname,
  stdio: ['ignore', 'pipe', 'inherit'],
})
server.on('exit', (code) => process.exit(code ?? 1))
const url = await new Promise((resolve) => {
  createInterface(server.stdout).on('line', (line) => {
    const event = JSON.parse(line)
    if (event.event === 'ready') resolve(event.url)
  })
})

let status = 1
for (let nth = 1; nth <= tries && status !== 0; nth++) {
  const args = ['run', '--config', 'examples/vitest.config.ts', 'small-model']
  status = await asked('node_modules/vitest/vitest.mjs', args, { SMALL_MODEL_URL: `${url}/v1` })
}
server.removeAllListeners('exit')
server.kill()
process.exitCode = status

function run(script, args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1
}

/** Asynchronous, because the server's output must be read meanwhile. */
function asked(script, args, env) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
