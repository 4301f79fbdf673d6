import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startAgentFrom } from '../../examples/agents/agentFrom.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { inTest, resetConfiguration } from '../support/configuration.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { answering, openTestAgent, judge, pass } from './runs.ts'

beforeEach(() => configureA2A({ folder: false }))
afterEach(resetConfiguration)

describe('files', () => {
  test('one per trial, named after test and trial, without secrets', async () => {
    const folder = join(temporaryFolder(), 'conversations')
    configureA2A({ folder })
    inTest({ name: 'moves a booking', id: 'x' })
    await using echo = await openTestAgent(
      startAgentFrom({
        token: 'tok-secret-1',
        respond: ({ text }) => `${text} tok-secret-1`,
      }),
      { headers: { authorization: 'Bearer tok-secret-1' } },
    )

    const result = await pass(echo.agent, {
      script: ['My card is 4000-1234.'],
      successCriteria: [
        {
          check: (conversation) => conversation.agentText.includes('4000-1234'),
          description: 'repeats the number',
        },
      ],
      trials: 2,
      redact: (text) => text.replaceAll('4000-1234', '[card]'),
    })

    expect(result.outcome).toBe('passed')
    expect(readdirSync(folder).sort()).toEqual(['moves-a-booking.1.json', 'moves-a-booking.2.json'])
    const text = readFileSync(result.shown.file ?? '', 'utf8')
    expect(text).not.toContain('tok-secret-1')
    expect(text).not.toContain('4000-1234')
    expect(JSON.parse(text)).toMatchObject({
      schemaVersion: 1,
      trial: 2,
      outcome: 'passed',
      run: { name: 'moves a booking', entries: [{ text: 'My card is [card].' }, { from: 'agent' }] },
      judgement: { outcome: 'passed' },
    })
    expect(JSON.stringify(result)).not.toContain('4000-1234')
  })

  test('that cannot be written give a warning', async () => {
    const folder = join(temporaryFolder(), 'file')
    writeFileSync(folder, 'no folder')
    configureA2A({ folder })
    await using echo = await answering(({ text }) => text)

    const result = await pass(echo.agent, {
      script: ['Hello'],
      successCriteria: [{ check: () => true, description: 'is fine' }],
    })

    expect(result.outcome).toBe('passed')
    expect(result.warnings.join()).toMatch(/^the transcript was not written: /)
    expect(result.shown).not.toHaveProperty('file')
  })
})

describe('functions of the test', () => {
  test('name a check that throws', async () => {
    await using echo = await answering(({ text }) => text)
    const options = {
      script: ['Hello'],
      successCriteria: [
        {
          id: 'ref',
          check: () => {
            throw new TypeError('no ref')
          },
          description: 'has a ref',
        },
      ],
    }

    await expect(pass(echo.agent, options)).rejects.toMatchObject({
      name: 'A2AUsageError',
      message: expect.stringContaining('the check of criterion "ref" threw TypeError: no ref'),
    })
  })

  test('do not change the options', async () => {
    await using echo = await answering(({ text }) => text)
    const frozen = deepFreeze({
      script: ['Hello', [{ kind: 'data' as const, data: { a: [1] } }]],
      facts: { a: 1 },
      successCriteria: [{ check: () => true, description: 'is fine' }],
      judge: { model: judge() },
    })
    expect((await pass(echo.agent, frozen)).outcome).toBe('passed')
  })
})

function deepFreeze<T extends object>(value: T): T {
  for (const one of Object.values(value))
    if (typeof one === 'object' && one !== null && !('generate' in one)) deepFreeze(one)
  return Object.freeze(value)
}
