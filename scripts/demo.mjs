// Runs the example specs against the demo agents and prints what was checked. Ends with 0 only if every healthy agent
// passed, or says why it was skipped, and the broken ones failed for the reasons they are broken.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judge, printDemo } from './demo-report.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

if (isStale()) {
  process.stderr.write('Building expect-a2a first …\n')
  const built = spawnSync(process.execPath, [join(root, 'node_modules/tsdown/dist/run.mjs'), '--silent'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (built.status !== 0) {
    process.stderr.write(`The build failed, so there is nothing to show.\n${built.stdout}${built.stderr}\n`)
    process.exit(1)
  }
}

const started = performance.now()
const run = await runSpecs()
const results = { ...run, seconds: (performance.now() - started) / 1000, endpoint: modelEndpoint() }
const verdict = judge(results)
// Vitest sets the exit code for the spec that is meant to fail; ours replaces it, once everything is written.
process.stdout.write(printDemo(results, verdict, { colour: hasColour() }), () =>
  process.exit(verdict.green ? 0 : 1),
)

/** True when there is no build, or a source is newer than it. */
function isStale() {
  const built = ['index.js', 'vitest.js', 'testing.js'].map((name) => join(root, 'dist', name))
  if (!built.every((file) => existsSync(file))) return true
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs))
  return ['src', 'matchers', 'examples/agents'].some((folder) => newest(join(root, folder)) > oldest)
}

function newest(folder) {
  if (!existsSync(folder)) return 0
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Math.max(0, ...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs))
}

async function runSpecs() {
  const { startVitest } = await import('vitest/node')
  const examples = join(root, 'examples')
  const tests = []
  const troubles = []
  const collect = {
    onTestRunEnd(modules, unhandled) {
      for (const module of modules) {
        const file = module.moduleId.slice(examples.length + 1)
        for (const error of module.errors()) troubles.push(`${file}: ${error.message}`)
        for (const test of module.children.allTests()) {
          const { state, errors = [], note } = test.result()
          tests.push({
            file,
            title: test.name,
            state,
            note,
            messages: errors.map((error) => error.message),
            records: test.meta().a2a ?? [],
          })
        }
      }
      for (const error of unhandled) troubles.push(error.message)
    },
  }
  const vitest = await startVitest('test', [], {
    config: join(examples, 'vitest.config.ts'),
    watch: false,
    reporters: [collect],
  })
  await vitest.close()
  tests.sort((a, b) => a.file.localeCompare(b.file))
  return { tests, troubles }
}

/** Where the specs ask models, if they can ask any. */
function modelEndpoint() {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: address } = process.env
  return address || (key ? 'https://api.openai.com/v1' : undefined)
}

function hasColour() {
  if (process.env.NO_COLOR) return false
  return process.stdout.isTTY
}
