// What the set-up file adds to a test file that is otherwise empty. Every file has a new worker, as is Vitest's default.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, startVitest } from 'vitest/node'
import { root, run } from '../scripts/consumer.mjs'
import { differences, median, middleHalf, report } from './figures.mjs'

const aim = 25
const files = 12
const wholeRunsMs = 6_000

const folder = process.argv[2]

/** Set-up files by variant. An empty one shows what any set-up file costs. */
const variants = { none: [], empty: ['./empty.mjs'], ours: ['expect-a2a/vitest'] }
const names = Object.keys(variants)
const output = join(folder, 'cpu.jsonl')

function write(path, text) {
  writeFileSync(join(folder, path), text)
}

write('empty.mjs', 'export {}\n')
// First in every variant, so that what the first set-up file costs is in all of them.
write('begin.mjs', 'globalThis.begun = process.cpuUsage()\n')
for (let file = 0; file < files; file++) {
  write(
    `${file}.test.mjs`,
    `import { appendFileSync } from 'node:fs'
import { test } from 'vitest'
test('nothing', () => {})
const { user, system } = process.cpuUsage(globalThis.begun)
appendFileSync(process.env.OUTPUT, JSON.stringify({ name: process.env.VARIANT, file: ${file}, cpu: (user + system) / 1e3 }) + '\\n')
`,
  )
}

const numberOf = (path) => Number(/(\d+)\.test\.mjs$/.exec(path)[1])

/** The variants of one file run right after each other; which comes first changes from file to file. */
class Interleaved extends BaseSequencer {
  async sort(specifications) {
    const place = ({ moduleId, project }) => {
      const file = numberOf(moduleId)
      return file * names.length + ((names.indexOf(project.name) + file) % names.length)
    }
    return specifications.toSorted((a, b) => place(a) - place(b))
  }
}

/** Milliseconds by variant and file, after Vitest's own clock (`setup` and `import` of its summary) and after the worker's CPU. */
async function inVitest() {
  process.chdir(folder)
  const vitest = await startVitest('test', [], {
    config: false,
    root: folder,
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
    sequence: { sequencer: Interleaved },
    projects: names.map((name) => ({
      test: {
        name,
        root: folder,
        include: ['*.test.mjs'],
        setupFiles: ['./begin.mjs', ...variants[name]],
        sequence: { setupFiles: 'list' },
        env: { OUTPUT: output, VARIANT: name },
      },
    })),
  })
  const modules = vitest.state.getTestModules()
  if (modules.length !== files * names.length || modules.some((module) => !module.ok())) {
    throw new Error('an empty test file failed')
  }
  const clock = Object.fromEntries(names.map((name) => [name, []]))
  const cpu = Object.fromEntries(names.map((name) => [name, []]))
  for (const module of modules) {
    const { setupDuration, collectDuration } = module.diagnostic()
    clock[module.project.name][numberOf(module.moduleId)] = setupDuration + collectDuration
  }
  for (const line of readFileSync(output, 'utf8').trim().split('\n')) {
    const one = JSON.parse(line)
    cpu[one.name][one.file] = one.cpu
  }
  await vitest.close()
  // The first file of a variant finds nothing transformed yet.
  for (const values of [...Object.values(clock), ...Object.values(cpu)]) values.shift()
  return { clock, cpu }
}

/** Milliseconds of whole runs of `vitest run` over one file, without and with the set-up file, in turns. */
async function wholeRuns() {
  const taken = { none: [], ours: [] }
  for (const name of Object.keys(taken)) {
    mkdirSync(join(folder, name))
    write(join(name, 'one.test.mjs'), "import { test } from 'vitest'\ntest('nothing', () => {})\n")
    const test = { setupFiles: variants[name] }
    write(join(name, 'vitest.config.mjs'), `export default ${JSON.stringify({ test })}\n`)
  }
  const begun = performance.now()
  for (let round = 0; round < 3 || performance.now() - begun < wholeRunsMs; round++) {
    for (const name of round % 2 === 0 ? ['none', 'ours'] : ['ours', 'none']) {
      const started = performance.now()
      const bin = join(root, 'node_modules', 'vitest', 'vitest.mjs')
      const { code, output: printed } = await run(join(folder, name), process.execPath, [bin, 'run'])
      if (code !== 0) throw new Error(printed)
      taken[name].push(performance.now() - started)
    }
  }
  return taken
}

const { clock, cpu } = await inVitest()
const added = differences(clock.ours, clock.none)
const whole = await wholeRuns()
const wholeAdded = differences(whole.ours, whole.none)
report(
  '(3) the set-up file adds',
  `${median(added).toFixed(0)} ms to an empty file by Vitest's own clock, set-up and import (middle half ` +
    `${middleHalf(added, 0)}; ${added.length} files), ${median(differences(cpu.ours, cpu.none)).toFixed(0)} ms of CPU in its worker (judged); ` +
    `an empty set-up file adds ${median(differences(clock.empty, clock.none)).toFixed(0)} ms; a whole \`vitest run\` of ` +
    `${median(whole.none).toFixed(0)} ms differs by ${median(wholeAdded).toFixed(0)} ms (middle half ${middleHalf(wholeAdded, 0)}; ` +
    `${wholeAdded.length} pairs)`,
  `<= ${aim} ms of CPU`,
  median(differences(cpu.ours, cpu.none)) <= aim,
  'more is loaded at set-up than should be; see what dist/vitest.js imports',
)
