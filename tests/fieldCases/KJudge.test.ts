import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import { createAgent } from '../../src/agent/handle.ts'
import { passConversation } from '../../src/conversation/passConversation.ts'
import type { ConversationResult } from '../../src/conversation/types.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import type { JudgeOptions } from '../../src/model/types.ts'
import '../../src/vitest.ts'
import { quietDeps } from '../conversation/runs.ts'
import { failureOf } from '../matchers/support.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { startModelServer, type ModelReply } from '../support/modelServer.ts'

afterEach(resetConfiguration)

const quote = 'One of the two charges for order #4411 has been refunded.'
const verdict = (said: string, reason = 'It says so.'): object => ({
  verdicts: { c1: { evidence: said === 'met' ? [{ turn: 2, quote }] : [], reason, verdict: said } },
  injection: { found: false, turn: null },
})
const met = JSON.stringify(verdict('met'))

const conversation = {
  script: ['I was charged twice', 'It is order #4411'],
  successCriteria: ['The agent confirms the refund.'],
}

/** Holds the same conversation each time; what a failure says, or an empty text. */
async function failure(judge: JudgeOptions): Promise<string> {
  configureA2A({ folder: false })
  await using helpdesk = await startHelpdesk()
  let passed = false
  const message = await failureOf(async () => {
    await expect(helpdesk.url).toPassConversation({ ...conversation, judge })
    passed = true
    throw new Error('')
  })
  return passed ? '' : message
}

describe('K01 Judge answers with fenced or wrapped JSON', () => {
  test.each([
    ['a fence', `\`\`\`json\n${met}\n\`\`\``],
    ['words around it', `Sure, here is my verdict:\n${met}\nHope this helps.`],
    [
      'fenced code in a reason',
      JSON.stringify(verdict('met', 'it shows ```js\nx()\n``` as asked, in a } text')),
    ],
    ['a fence without a language', `\`\`\`\n${JSON.stringify(verdict('met', 'a } in text'))}\n\`\`\``],
  ])('%s: the conversation passes', async (_what, reply) => {
    const model = scriptedModel([reply])
    expect(await failure({ model })).toBe('')
    expect(model.requests).toHaveLength(1)
  })

  test('two different verdicts in one reply: an error, with what the judge wrote', async () => {
    const reply = `${met}\nOr rather:\n${JSON.stringify(verdict('not_met'))}`
    const message = await failure({ model: scriptedModel([reply, reply]) })
    expect(message).toMatch(/^\[error\] /)
    expect(message).toContain('the judge gave no usable verdict: two different answers')
    expect(message).toContain('Or rather:')
  })
})

describe('K02 Verdict fields missing or contradicting each other', () => {
  test.each<[object, string]>([
    [{ reason: 'fine' }, 'verdicts: missing, expected object'],
    [{ score: 0.75, pass: false, reason: '…' }, 'verdicts: missing, expected object'],
    [{ pass: 'true' }, 'verdicts: missing, expected object'],
    [{ score: 7, pass: true }, 'verdicts: missing, expected object'],
    [verdict('yes'), 'verdicts.c1.verdict: expected "met", "not_met" or "unknown", received "yes"'],
    [{ ...verdict('not_met'), pass: true }, 'unknown member "pass"'],
  ])('%j: an error and never a verdict, even with .not', async (reply, problem) => {
    configureA2A({ folder: false })
    await using helpdesk = await startHelpdesk()
    for (const assertion of [expect(helpdesk.url), expect(helpdesk.url).not]) {
      const model = scriptedModel([reply, reply])
      const message = await failureOf(() =>
        assertion.toPassConversation({ ...conversation, judge: { model } }),
      )
      expect(message).toMatch(/^\[error\] /)
      expect(message).toContain(`the judge gave no usable verdict: ${problem}`)
    }
  })
})

describe('K03 Judge or simulator rate-limited', () => {
  const slow: ModelReply = { status: 429, error: { message: 'slow down' } }

  /** The same conversation, judged by a model that is served; its waits take no time. */
  async function judgedBy(...replies: ModelReply[]): Promise<ConversationResult & { calls: number }> {
    configureA2A({ folder: false })
    await using helpdesk = await startHelpdesk()
    const server = await startModelServer(replies)
    onTestFinished(() => server.close())
    const deps = quietDeps({ clock: manualClock({ auto: true }) })
    await using agent = createAgent(helpdesk.url, {}, deps)
    const model = openaiModel({ model: 'gpt-x', apiKey: 'sk-none', baseURL: server.baseURL })
    const result = await passConversation(
      agent,
      { ...conversation, judge: { model } },
      { deps, signal: new AbortController().signal },
    )
    return { ...result, calls: server.requests.length }
  }

  test.each<[string, ModelReply[]]>([
    ['429 twice, then a verdict', [{ ...slow, headers: { 'retry-after': '1' } }, slow, met]],
    ['503, then a verdict', [{ status: 503, body: 'down' }, met]],
  ])('%s: the conversation passes', async (_what, replies) => {
    expect(await judgedBy(...replies)).toMatchObject({ outcome: 'passed', calls: replies.length })
  })

  test.each<[string, ModelReply[], RegExp]>([
    ['429 for ever', [slow, slow, slow, slow, slow], /^judge unavailable after 5 tries: .*"gpt-x".*429/],
    [
      '401',
      [{ status: 401, error: { message: 'no such key' } }],
      /^judge unavailable after 1 try: .*"gpt-x".*401/,
    ],
    [
      '400 to an unknown model',
      [{ status: 400, error: { message: 'unknown model gpt-x', code: 'model_not_found' } }],
      /^judge unavailable after 1 try: .*"gpt-x".*400/,
    ],
  ])('%s: an error of the judge, not a failure of the agent', async (_what, replies, message) => {
    const { outcome, shown, calls } = await judgedBy(...replies)
    expect(outcome).toBe('error')
    expect(shown.fault?.message).toMatch(message)
    expect(shown.judgement?.criteria).toMatchObject([{ verdict: 'unknown' }])
    expect(shown.run.entries).toHaveLength(4)
    expect(calls).toBe(replies.length)
  })
})

describe('K08 The same transcript passes and fails', () => {
  const [yes, no] = [met, JSON.stringify(verdict('not_met'))]

  test.each<[string, string[], string]>([
    ['not met, met, met', [no, yes, yes], ''],
    ['not met, not met, met', [no, no, yes], '   votes: not met, not met, met   criterion/not-met\n'],
    ['met at once', [yes], ''],
  ])('%s: the majority of as many votes as it takes', async (_what, replies, shown) => {
    const model = scriptedModel(replies)
    const message = await failure({ model })
    expect(message === '').toBe(shown === '')
    expect(message).toContain(shown)
    expect(model.requests).toHaveLength(replies.length)
  })

  test('two of three votes decide, and the message says how far they agree', async () => {
    const message = await failure({ model: scriptedModel([no, yes, no]), votes: 3 })
    expect(message).toMatch(/^\[failed\] /)
    expect(message).toContain('judge scripted, 3 votes, 2 of 3 verdicts agree')
  })

  test('votes without a verdict are not a failure', async () => {
    const message = await failure({ model: scriptedModel([no, '', '', '', '']), votes: 3 })
    expect(message).toMatch(/^\[error\] /)
    expect(message).toContain('votes of the judge gave a verdict')
  })
})
