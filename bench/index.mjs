// `npm run bench`: some figures, each with its aim. Names of parts run those alone: `node bench/index.mjs send`.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, run } from '../scripts/consumer.mjs'
import { makeProject } from './installed.mjs'

/** Parts and what each is given. */
const parts = {
  send: (project) => project.entry('index'),
  cards: (project) => project.entry('index'),
  setup: (project) => project.folder,
  firstCall: (project) => project.folder,
  growth: (project) => project.entry('index'),
  stream: (project) => project.entry('index'),
  conversations: (project) => project.entry('index'),
  load: (project) => project.folder,
}

/** Times of the last change to the files below some paths. */
function changes(paths) {
  return paths
    .map((path) => join(root, path))
    .flatMap((path) =>
      statSync(path).isDirectory()
        ? readdirSync(path, { recursive: true }).map((name) => statSync(join(path, name)).mtimeMs)
        : [statSync(path).mtimeMs],
    )
}

async function build() {
  const sources = ['src', 'matchers', 'examples/agents', 'tsdown.config.ts', 'package.json']
  const built = existsSync(join(root, 'dist', 'index.js'))
  if (built && Math.min(...changes(['dist'])) > Math.max(...changes(sources))) return
  const { code, output } = await run(root, 'npm', ['run', '--silent', 'build'])
  if (code !== 0) throw new Error(`the build failed:\n${output}`)
}

/** Runs a part in a process of its own, so that none finds the heap of another. */
function runPart(name, argument) {
  const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, argument], {
      stdio: 'inherit',
      env: { ...process.env, BENCH_TABLE: table },
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`bench/${name}.mjs ended with ${code}`)),
    )
  })
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`no part "${unknown.join('", "')}"; there are ${Object.keys(parts).join(', ')}`)

await build()
const busy = loadavg()[0] > availableParallelism() ? ': others are at work, so trust ratios only' : ''
console.log(
  `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}${busy}`,
)
const project = makeProject()
const table = join(project.folder, 'table.jsonl')
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(parts))
    await runPart(name, parts[name](project))
  const rows = readFileSync(table, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  console.log('\n| figure | aim | |\n| --- | --- | --- |')
  for (const { label, aim, met } of rows) console.log(`| ${label} | ${aim} | ${met ? 'met' : 'missed'} |`)
} finally {
  project.remove()
}
