import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, run } from '../../scripts/consumer.mjs'
import { setUpConsumers } from './consumers.ts'

const consumer = setUpConsumers()
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** The first spec that the README shows. */
function readmeSpec(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, spec = ''] = /```ts\n(\/\/ agent\.test\.ts\n.*?)\n```/s.exec(readme) ?? []
  return spec
}

describe('the types of the installed package, with skipLibCheck off', () => {
  test.each([
    ['types-vitest', ['vitest', '@types/node']],
    ['types-jest', ['@types/jest', 'jest', 'expect', '@types/node']],
    ['types-jest-globals', ['@jest/globals', 'jest', 'expect', '@types/node']],
    ['types-expect', ['expect', '@types/node']],
  ])('compile in %s', { timeout: 600_000 }, async (fixture, packages) => {
    const folder = await consumer(fixture, packages)
    if (fixture === 'types-vitest') {
      expect(readmeSpec()).toContain('toHaveValidAgentCard')
      writeFileSync(join(folder, 'readme.ts'), readmeSpec())
    }
    const { output } = await run(folder, process.execPath, [tsc, '-p', '.'])
    expect(output).toBe('')
  })
})
