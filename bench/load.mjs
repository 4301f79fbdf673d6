// How long the package takes to load: each time in a new process, by `import` and by `require`, in turns.
import { run } from '../scripts/consumer.mjs'
import { median, middleHalf, report } from './figures.mjs'

const aim = 100
const rounds = 11

const folder = process.argv[2]

const cpu = '((used) => (used.user + used.system) / 1e3)(process.cpuUsage(begun))'
const around = (load) =>
  `const begun = process.cpuUsage(), started = performance.now(); ${load}; ` +
  `console.log(JSON.stringify({ clock: performance.now() - started, cpu: ${cpu} }))`

/** What is loaded, and how. */
const ways = {
  import: ['--input-type=module', '-e', around("await import('expect-a2a')")],
  require: ['--input-type=commonjs', '-e', around("require('expect-a2a')")],
}

const names = Object.keys(ways)
const taken = Object.fromEntries(names.map((name) => [name, { clock: [], cpu: [] }]))
for (let round = 0; round <= rounds; round++) {
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    const { code, output } = await run(folder, process.execPath, ways[name])
    if (code !== 0) throw new Error(output)
    // The first one finds nothing in the caches of the disk.
    if (round === 0) continue
    const one = JSON.parse(output)
    taken[name].clock.push(one.clock)
    taken[name].cpu.push(one.cpu)
  }
}
for (const name of names) {
  const { clock, cpu: used } = taken[name]
  report(
    `(11) ${name} of expect-a2a`,
    `${median(clock).toFixed(0)} ms (middle half ${middleHalf(clock, 0)}; ${clock.length} processes), ${median(used).toFixed(0)} ms of CPU`,
    `< ${aim} ms`,
    median(clock) < aim,
    median(used) < aim
      ? `the CPU has other work: this takes ${median(used).toFixed(0)} ms of it`
      : 'more is loaded at once than should be; see what dist/index.js imports',
  )
}
