// node interop/model/record.mjs: records the cassette of examples/small-model.spec.ts anew, with the model that "npm run fetch" got.
// Needed when what is asked of models has changed. The conversation is another one each time, so it is held until it passes.
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

/** Without waiting for it, or the server's output would not be read. */
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
