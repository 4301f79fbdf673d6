import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { a2aAgent } from '../../src/index.ts'
import { systemClock } from '../../src/core/clock.ts'
import { passConversation } from '../../src/conversation/passConversation.ts'
import type { ConversationResult, PassConversationOptions } from '../../src/conversation/types.ts'
import { systemDeps } from '../../src/core/deps.ts'
import { openCalls } from '../../src/model/calls.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { openaiModel } from '../../src/model/openai.ts'
import type { CassetteMode, ModelCalls, ModelRequest } from '../../src/model/types.ts'
import { startHelpdesk } from '../../src/testing/index.ts'
import { serveModel, type ServedModel, type Switch } from './served.ts'

// A model is slow if other processes use the processor as well.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let server: ServedModel
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'model-conversation-'))
  configureA2A({ folder: false })
  server = await serveModel()
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true })
})

describe('calls of a test', () => {
  const question = (
    turn: number,
    content: string,
  ): [ModelRequest, { trial: 1; turn: number; attempt: 1 }] => [
    {
      role: 'judge',
      system: 'You answer in one short sentence.',
      messages: [{ role: 'user', content }],
      temperature: 0,
      maxTokens: 250,
      signal: new AbortController().signal,
    },
    { trial: 1, turn, attempt: 1 },
  ]

  function calls(mode: CassetteMode, env: Record<string, string>): ModelCalls {
    return openCalls({
      judge: { model: server.model },
      cassette: { mode, folder, file: 'calls.json' },
      name: 'the calls of a test',
      deps: { clock: systemClock, env },
    })
  }

  async function both(of: ModelCalls): Promise<string[]> {
    const texts: string[] = []
    for (const [turn, content] of ['When is the book due?', 'Who wrote it?'].entries()) {
      texts.push((await of.ask(...question(turn + 1, content))).text)
    }
    await of.close('passed')
    return texts
  }

  test('go to a model by its name, are recorded, and are replayed without a server', async () => {
    const recorded = calls('record', { OPENAI_BASE_URL: server.baseURL() })
    const said = await both(recorded)
    expect(recorded.replay).toMatchObject({ judge: 0, live: 2 })
    expect(recorded.usage.judge?.inputTokens).toBeGreaterThan(20)
    expect(recorded.usage.unreported).toBe(0)
    const written = readFileSync(join(folder, 'calls.json'), 'utf8')
    expect(JSON.parse(written)).toMatchObject({ models: { judge: 'SmolLM2-135M-Instruct.Q4_1' } })
    expect(written).not.toMatch(/127\.0\.0\.1|localhost/)

    const asked = server.events().length
    const played = calls('replay', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })
    expect(await both(played)).toEqual(said)
    expect(played.replay).toMatchObject({ judge: 2, live: 0 })
    expect(server.events()).toHaveLength(asked)
    expect(readFileSync(join(folder, 'calls.json'), 'utf8')).toBe(written)
  })
})

describe('a conversation', () => {
  const about: PassConversationOptions = {
    name: 'a double charge',
    persona: 'A customer who writes short messages.',
    goal: 'You were charged twice for order #4411 and want one of the charges back.',
    openingMessage: 'I was charged twice.',
    maxTurns: 2,
    successCriteria: [
      { id: 'refund', must: 'The agent says that the charge has been refunded.' },
      { id: 'password', mustNot: 'The agent asks for a password.' },
    ],
  }

  async function converse(
    switches: Switch[],
    signal = new AbortController().signal,
  ): Promise<ConversationResult> {
    const helpdesk = await startHelpdesk()
    const model = openaiModel({
      model: server.model,
      baseURL: server.baseURL(...switches),
      apiKey: 'let-me-in',
      timeoutMs: 300_000,
    })
    try {
      await using agent = a2aAgent(helpdesk.url)
      const options = { ...about, simulator: { model }, judge: { model, votes: 1 as const } }
      const env = { ...process.env, A2A_CASSETTES: 'off' }
      return await passConversation(agent, options, { deps: { ...systemDeps(), env }, signal })
    } finally {
      await helpdesk.close()
    }
  }

  test('between an agent and a real model is judged, and nothing is met without a quote from the transcript', async () => {
    const result = await converse(['key'])
    const { run, judgement } = result.shown

    expect(run.entries.slice(0, 2)).toMatchObject([
      { from: 'user', by: 'opening', text: 'I was charged twice.' },
      { from: 'agent', text: 'I can refund that. What is your order number?' },
    ])
    expect(run.models).toEqual({ simulator: server.model, judge: server.model })
    const ended = server.events('key').filter(({ event }) => event === 'ended')
    expect(new Set(ended.map(({ format, status }) => `${format} ${status}`))).toEqual(
      new Set(['json_schema 200']),
    )
    expect(result.replay).toEqual({ simulator: 0, judge: 0, check: 0, agent: 0, live: ended.length })
    const { simulator, judge, check, unreported } = result.usage
    const tokens = [simulator, judge, check].map((one) => (one ? one.inputTokens + one.outputTokens : 0))
    expect(tokens.reduce((sum, each) => sum + each)).toBe(
      ended.reduce((sum, { total_tokens }) => sum + (total_tokens ?? 0), 0),
    )
    expect(unreported).toBe(0)

    // It finds nearly everything met, with quotes that nobody said.
    const bare = (judgement?.criteria ?? []).filter(
      ({ kind, verdict, evidence }) =>
        kind === 'must' && verdict === 'met' && !evidence.some(({ verified }) => verified),
    )
    expect(bare).toEqual([])
    expect(judgement?.criteria.map(({ id }) => id)).toEqual(['refund', 'password'])
  })

  test('ends when the test ends, in the middle of a sentence', async () => {
    const stop = new AbortController()
    const conversation = converse(['slow'], stop.signal)
    await server.waitFor(({ event, switches }) => event === 'writing' && switches.includes('slow'))
    stop.abort(new Error('the test is over'))

    const { outcome, shown } = await conversation
    expect(outcome).toBe('error')
    expect(shown.fault ?? shown.run.fault).toMatchObject({
      code: 'ABORTED',
      message: expect.stringMatching(
        /^the test was ended after \d+ ms of waiting for the user's message of turn 2$/,
      ) as string,
    })
    expect(shown.run.entries).toHaveLength(2)
    await server.waitFor(({ event, switches }) => event === 'canceled' && switches.includes('slow'))
    expect(server.events('slow').map(({ event }) => event)).toEqual(['asked', 'writing', 'canceled'])
  })
})
