// Runs the smoke specs of tests/package on every supported runner and Node, and writes the table in docs/runners.md.
// `npm run test:matrix`; needs the network. What cannot be installed is skipped, and the output says why.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack, project, remove, root, run, scratch } from './consumer.mjs'

/** Runner, its packages, and the major versions of Node to run it on. */
const rows = [
  { runner: 'vitest', version: '3.2', nodes: [20, 22] },
  { runner: 'vitest', version: '4.1', nodes: [20, 22, 24] },
  // Vitest 5 needs Node 22.
  { runner: 'vitest', version: '5.1', nodes: [22, 24] },
  { runner: 'jest', version: '29', nodes: [20, 22] },
  { runner: 'jest', version: '30', nodes: [20, 22, 24] },
]

const commands = {
  vitest: (spec) => ['node_modules/vitest/vitest.mjs', 'run', spec],
  jest: (spec) => ['node_modules/jest/bin/jest.js', '--ci', spec],
}

const folders = []
const nodes = new Map()

/** The program of a Node major: our own, or the one that npm has as a package. */
async function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return { bin: process.execPath }
  if (!nodes.has(major)) nodes.set(major, await fetchNode(major))
  return nodes.get(major)
}

async function fetchNode(major) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const folder = scratch(`node-${major}`)
  folders.push(folder)
  const { code, output } = await run(
    folder,
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--prefer-offline',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${name}@${major}`,
    ],
    { timeoutMs: 300_000 },
  )
  const bin = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (code === 0 && existsSync(bin)) return { bin }
  return { reason: `npm has no ${name}@${major} for us (${firstError(output)})` }
}

function firstError(output) {
  const line = output.split('\n').find((text) => /npm error/.test(text))
  return (line ?? output.trim().split('\n')[0] ?? 'no output').replace('npm error ', '').slice(0, 120)
}

/** What must be seen in the output of the specs that are meant to fail. */
const messages = [
  '3 failed',
  '[failed] expect(agent).toHaveValidAgentCard(',
  '[error] expect(agent).not.toHaveValidAgentCard(',
  'await',
]

async function check(folder, runner, bin) {
  const good = await run(folder, bin, commands[runner]('good'))
  if (good.code !== 0) return { problem: `the good spec failed:\n${good.output}` }
  const broken = await run(folder, bin, commands[runner]('broken'))
  if (broken.code !== 1) return { problem: `the broken spec ended with ${broken.code}:\n${broken.output}` }
  const missing = messages.filter((text) => !broken.output.includes(text))
  if (missing.length > 0) return { problem: `not printed: ${missing.join(', ')}\n${broken.output}` }
  return {}
}

function write(results) {
  const page = join(root, 'docs', 'runners.md')
  const [start, end] = ['<!-- matrix:start -->', '<!-- matrix:end -->']
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error('docs/runners.md has lost its matrix markers')
  const table = [
    '| runner | Node | result |',
    '| --- | --- | --- |',
    ...results.map(({ name, node, result }) => `| ${name} | ${node} | ${result} |`),
  ]
  writeFileSync(page, `${text.slice(0, from)}${start}\n\n${table.join('\n')}\n\n${text.slice(to)}`)
}

const results = []
let failed = false
try {
  const home = scratch('tarball')
  folders.push(home)
  const { tarball } = await pack(home)
  for (const { runner, version, nodes: majors } of rows) {
    let folder
    let reason
    try {
      const install = [`${runner}@${version}`, ...(runner === 'jest' ? [`@jest/globals@${version}`] : [])]
      folder = await project({ fixture: runner, tarball, install, npmArgs: ['--no-engine-strict'] })
      folders.push(folder)
    } catch (error) {
      reason = firstError(String(error.message))
    }
    const exact = folder
      ? JSON.parse(readFileSync(join(folder, 'node_modules', runner, 'package.json'), 'utf8')).version
      : version
    for (const major of majors) {
      const node = await nodeOf(major)
      const skip = reason ?? node.reason
      const { problem } = skip ? {} : await check(folder, runner, node.bin)
      const nodeName = node.bin
        ? (await run(root, node.bin, ['--version'])).output.trim().slice(1)
        : String(major)
      const name = `${runner === 'vitest' ? 'Vitest' : 'Jest'} ${exact}`
      const result = skip ? `skipped: ${skip}` : problem ? 'failed' : 'passed'
      results.push({ name, node: nodeName, result })
      console.log(`${name} on Node ${nodeName}: ${result}${problem ? `\n${problem}` : ''}`)
      failed ||= problem !== undefined
    }
  }
  write(results)
  await run(root, process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--write', 'docs/runners.md'])
} finally {
  folders.forEach(remove)
}
const skipped = results.filter(({ result }) => result.startsWith('skipped')).length
console.log(`${results.length} combinations, ${skipped} skipped; docs/runners.md is up to date`)
if (failed) process.exitCode = 1
