import { expect, test } from 'vitest'
import { toHaveValidAgentCard } from '../../matchers/index.ts'
import { faults, startHelpdesk } from '../../src/testing/index.ts'
import { read } from './sources.ts'

const readme = read('README.md')

test('the failure message in the README is the one that is printed', async () => {
  const [, sample = ''] = /```text\n(\[failed\].*?)\n```/s.exec(readme) ?? []
  expect(sample).toContain('toHaveValidAgentCard')
  const demo = await startHelpdesk({
    fault: [faults.card('name', 'Broken helpdesk'), faults.card('url', '/a2a')],
  })
  try {
    const self = { promise: '', isNot: false, utils: { printReceived: JSON.stringify } }
    const { pass, message } = await toHaveValidAgentCard.call(self, demo.url)
    expect(pass).toBe(false)
    expect(message().replaceAll(demo.url, 'http://127.0.0.1:4100').trim()).toBe(sample)
  } finally {
    await demo.close()
  }
})

test('the README has its two commands, each on a line of its own', () => {
  expect(readme.split('\n')).toEqual(expect.arrayContaining(['npm ci && npm run demo', 'npm ci && npm test']))
})
