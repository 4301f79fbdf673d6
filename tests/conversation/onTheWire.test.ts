import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import '../../src/vitest.ts'
import { startHelpdesk } from '../../src/testing/index.ts'
import { converse } from '../../src/conversation/converse.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { failureOf } from '../matchers/support.ts'
import { startModelServer, type ModelServer, type SeenRequest } from '../support/modelServer.ts'

const folder = await mkdtemp(join(tmpdir(), 'conversations-'))
configureA2A({ folder: false, cassettes: 'off' })
afterAll(() => rm(folder, { recursive: true, force: true }))

const confirmed = 'One of the two charges for order #4411 has been refunded.'

/** Plays the user from a list and judges by a rule; distinguished by the model id. */
function servesBoth(
  said: readonly (string | null)[],
  judge: (key: string) => object = () => met,
): Promise<ModelServer> {
  let at = 0
  return startModelServer((request) => {
    if (request.body.model === 'judge') return { data: verdicts(request, judge) }
    if (isCheck(request)) return { data: { why: 'It kept to its part.', turn: null, severity: 'none' } }
    const message = said[at++] ?? null
    return { data: { thought: 'so', status: message === null ? 'goal_reached' : 'continue', message } }
  })
}

const met = { evidence: [{ turn: 1, quote: confirmed }], reason: 'It says so.', verdict: 'met' }
const notMet = { evidence: [], reason: 'It does not say so.', verdict: 'not_met' }
const unknown = { evidence: [], reason: 'Nothing shows it.', verdict: 'unknown' }

function verdicts({ body }: SeenRequest, judge: (key: string) => object): object {
  const { schema } = body.response_format?.json_schema as {
    schema: { properties: { verdicts: { properties: Record<string, unknown> } } }
  }
  const keys = Object.keys(schema.properties.verdicts.properties)
  return {
    verdicts: Object.fromEntries(keys.map((key) => [key, judge(key)])),
    injection: { found: false, turn: null },
  }
}

const isCheck = ({ body }: SeenRequest): boolean => JSON.stringify(body.response_format).includes('severity')
const kindOf = (request: SeenRequest): string =>
  request.body.model === 'judge' ? 'judge' : isCheck(request) ? 'check' : 'simulator'

function conversation(
  server: ModelServer,
  over: Partial<PassConversationOptions> = {},
): PassConversationOptions {
  return {
    persona: 'A customer who was charged twice and writes short, polite messages.',
    goal: 'Get the duplicate charge for order #4411 refunded.',
    facts: { order: '#4411' },
    successCriteria: ['The agent confirms the refund'],
    maxTurns: 4,
    simulator: { model: openaiModel({ model: 'player', baseURL: server.baseURL }) },
    judge: { model: openaiModel({ model: 'judge', baseURL: server.baseURL }) },
    ...over,
  }
}

const opening = 'Hi, I was charged twice for order #4411. Can one of them be refunded?'
const first = 'I was charged twice for order #4411.'

describe('model calls for n turns', () => {
  test.each<[string, readonly (string | null)[], Partial<PassConversationOptions>, string[]]>([
    [
      '1 turn that ends by the goal: the turn, the end, 1 judge',
      [first],
      {},
      ['simulator', 'simulator', 'judge'],
    ],
    ['an opening saves the first', [], { openingMessage: opening }, ['simulator', 'judge']],
    [
      '2 turns that end by maxTurns, with an opening',
      ['Thank you, when does it arrive?'],
      { openingMessage: opening, maxTurns: 2 },
      ['simulator', 'judge'],
    ],
    [
      '3 turns that end by maxTurns, without',
      [first, 'When does it arrive?', 'And how will I know?'],
      { maxTurns: 3 },
      ['simulator', 'simulator', 'simulator', 'judge'],
    ],
    [
      'a script takes none but the judge',
      [],
      { script: [first], persona: undefined, goal: undefined } as never,
      ['judge'],
    ],
    [
      'a script and criteria in code take none at all',
      [],
      {
        script: [first],
        persona: undefined,
        goal: undefined,
        successCriteria: [{ check: () => true, description: 'is held' }],
      } as never,
      [],
    ],
  ])('%s', async (_, said, over, calls) => {
    await using helpdesk = await startHelpdesk()
    await using server = await servesBoth(said)
    await expect(helpdesk.url).toPassConversation(conversation(server, over))
    expect(server.requests.map(kindOf)).toEqual(calls)
  })

  test('two more votes when it is close, and a review of the simulated user when the conversation fails', async () => {
    await using helpdesk = await startHelpdesk()
    await using server = await servesBoth([], (key) => (key === 'c1' ? met : notMet))
    await failureOf(() =>
      expect(helpdesk.url).toPassConversation(
        conversation(server, { openingMessage: opening, successCriteria: ['confirms', 'gives a voucher'] }),
      ),
    )
    expect(server.requests.map(kindOf)).toEqual(['simulator', 'judge', 'judge', 'judge', 'check'])
  })

  test('one more for an invented quote, then it is unknown and two more votes are taken', async () => {
    await using helpdesk = await startHelpdesk()
    const forged = { ...met, evidence: [{ turn: 1, quote: 'We have also sent you a voucher.' }] }
    await using server = await servesBoth([], () => forged)
    const message = await failureOf(() =>
      expect(helpdesk.url).toPassConversation(conversation(server, { openingMessage: opening })),
    )
    expect(message).toMatch(/^\[inconclusive\]/)
    const calls = server.requests.map(kindOf)
    expect(calls.filter((kind) => kind === 'judge').length).toBe(6)
    expect(calls.at(-1)).toBe('check')
  })
})

test('no word of a criterion reaches the simulated user, in any field', async () => {
  await using helpdesk = await startHelpdesk()
  await using server = await servesBoth([first, 'When does it arrive?', null], (key) =>
    key === 'c1' ? unknown : key === 'c2' ? notMet : met,
  )
  const message = await failureOf(() =>
    expect(helpdesk.url).toPassConversation(
      conversation(server, {
        successCriteria: [
          'CANARY-TEXT the agent sings',
          { id: 'CANARY-ID', must: 'CANARY-MUST the agent whistles', required: true },
          { id: 'CANARY-NOT-ID', mustNot: 'CANARY-MUSTNOT the agent shouts' },
          { id: 'CANARY-CHECK-ID', check: () => false, description: 'CANARY-SAYS the agent hums' },
        ],
        simulator: {
          model: openaiModel({ model: 'player', baseURL: server.baseURL }),
          check: 'always',
        },
      }),
    ),
  )
  expect(message).toContain('CANARY-MUST')
  const bodies = (kind: string): string =>
    JSON.stringify(server.requests.filter((request) => kindOf(request) === kind).map(({ body }) => body))
  expect(bodies('simulator')).toContain('order #4411')
  expect(bodies('check')).toContain('order #4411')
  expect(bodies('simulator') + bodies('check')).not.toContain('CANARY')
  // The judge sees what it judges, and nothing else.
  expect(bodies('judge')).toMatch(/CANARY-TEXT.*CANARY-MUST.*CANARY-MUSTNOT/)
  expect(bodies('judge')).not.toMatch(/CANARY-ID|CANARY-NOT-ID|CANARY-CHECK-ID|CANARY-SAYS/)
  expect(bodies('judge')).not.toContain('duplicate charge')
})

test('five turns: the simulated user sees its own words as its own, and the agent’s as those of the other side', async () => {
  await using helpdesk = await startHelpdesk()
  const said = [first, 'When does it come?', 'By which way?', 'And the fee?', 'Who can I call?']
  await using server = await servesBoth(said)
  await expect(helpdesk.url).toPassConversation(conversation(server, { maxTurns: 5 }))

  const last = server.requests.filter((request) => kindOf(request) === 'simulator').at(-1)
  const roles = last?.body.messages.map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', ...Array.from({ length: 4 }, () => ['assistant', 'user']).flat()])
  const own = last?.body.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
  said.slice(0, 4).forEach((words, index) => expect(own?.[index]).toContain(words))
})

test('five turns: the conversation that is handed over has the words of each side, in their order', async () => {
  await using helpdesk = await startHelpdesk()
  const said = [first, 'When does it come?', 'By which way?', 'And the fee?', 'Who can I call?']
  await using server = await servesBoth(said)
  const { successCriteria: _, judge: _judge, ...options } = conversation(server, { maxTurns: 5 })
  const run = await converse(helpdesk.url, options)

  expect(run.entries.map(({ turn, from }) => `${turn} ${from}`)).toEqual(
    [1, 2, 3, 4, 5].flatMap((turn) => [`${turn} user`, `${turn} agent`]),
  )
  expect(run.entries.flatMap(({ from, text }) => (from === 'user' ? [text] : []))).toEqual(said)
  expect(run.entries[1]).toMatchObject({ from: 'agent', text: expect.stringContaining(confirmed) })
})

test('connects only to the agent and the configured model', async () => {
  await using helpdesk = await startHelpdesk()
  await using server = await servesBoth([first, 'When does it arrive?'])
  const ports = new Set<string>()
  const connect = vi.spyOn(Socket.prototype, 'connect')
  try {
    await expect(helpdesk.url).toPassConversation(conversation(server))
    for (const args of connect.mock.calls as unknown[][]) {
      const flat = args.flat() as ({ host?: string; port?: number } | undefined)[]
      const target = flat.find((each) => typeof each === 'object' && each !== null && 'port' in each)
      ports.add(`${target?.host}:${target?.port}`)
    }
  } finally {
    connect.mockRestore()
  }
  expect([...ports].toSorted()).toEqual([new URL(helpdesk.url).host, new URL(server.origin).host].toSorted())
})

describe('a cassette', () => {
  const cassette = { folder, agent: true, file: 'refund.json' } as const
  const resultText = async (url: string, options: PassConversationOptions): Promise<string> =>
    (await failureOf(() => expect(url).not.toPassConversation(options))).replace(/ · <n> ms| · [\d.]+ s/, '')

  test('replays simulator, judge and agent byte for byte when all of them are gone', async () => {
    const helpdesk = await startHelpdesk()
    const server = await servesBoth([first, 'When does it arrive?'])
    const options = conversation(server)
    const recorded = await resultText(helpdesk.url, { ...options, cassette: { ...cassette, mode: 'record' } })
    await server.close()
    await helpdesk.close()
    const file = await readFile(join(folder, 'refund.json'), 'utf8')

    const played = await resultText(helpdesk.url, { ...options, cassette: { ...cassette, mode: 'replay' } })
    const again = await resultText(helpdesk.url, { ...options, cassette: { ...cassette, mode: 'replay' } })

    expect(played).toBe(again)
    expect(played).toContain('replayed: simulator 3, judge 1, agent 2; no live calls')
    expect(played).toMatch(/no agent was asked|the agent was not called|agent.*replayed/)
    const transcript = (message: string): string => message.slice(message.indexOf('Transcript'))
    expect(transcript(played)).toBe(transcript(recorded))
    expect(await readFile(join(folder, 'refund.json'), 'utf8')).toBe(file)
  })

  test('with a live judge replays the conversation, and judges it again', async () => {
    await using helpdesk = await startHelpdesk()
    let verdict: object = met
    await using server = await servesBoth([first, null], () => verdict)
    const own = { folder, file: 'judged.json' }
    const options = conversation(server)
    await expect(helpdesk.url).toPassConversation({ ...options, cassette: { ...own, mode: 'record' } })
    const file = await readFile(join(folder, 'judged.json'), 'utf8')
    expect(server.requests.splice(0).map(kindOf)).toEqual(['simulator', 'simulator', 'judge'])

    verdict = unknown
    const message = await failureOf(() =>
      expect(helpdesk.url).toPassConversation({
        ...options,
        simulator: { ...options.simulator, check: 'never' },
        judge: { ...options.judge, votes: 1 },
        cassette: { ...own, mode: 'replay', judge: 'live' },
      }),
    )

    expect(server.requests.map(kindOf)).toEqual(['judge'])
    expect(message).toMatch(/^\[inconclusive\]/)
    expect(message).toContain('replayed: simulator 2; 1 live')
    expect(await readFile(join(folder, 'judged.json'), 'utf8')).toBe(file)
  })

  test('without agent recordings never passes when the agent is down', async () => {
    const helpdesk = await startHelpdesk()
    await using server = await servesBoth([first, null])
    const options = conversation(server, { cassette: { folder, file: 'alive.json', mode: 'record' } })
    await expect(helpdesk.url).toPassConversation(options)
    await helpdesk.close()
    const played: PassConversationOptions = {
      ...options,
      cassette: { folder, file: 'alive.json', mode: 'replay' },
    }
    const plain = await failureOf(() => expect(helpdesk.url).toPassConversation(played))
    const negated = await failureOf(() => expect(helpdesk.url).not.toPassConversation(played))
    for (const message of [plain, negated]) {
      expect(message).toMatch(/^\[error\]/)
      expect(message).toMatch(/connection refused|closed the connection/)
    }
  })
})
