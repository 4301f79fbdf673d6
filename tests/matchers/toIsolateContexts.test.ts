import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { startAgentFrom, startHelpdesk } from '../../src/testing/index.ts'
import { startFixture, type FixtureServer } from '../support/fixtureServer.ts'
import { failureOf, misuse, wireMessage, wireTask } from './support.ts'
import { messagesOf, sent } from './conversations.ts'

const said = (contextId: string | undefined, text: string): Record<string, unknown> => ({
  ...wireMessage(text),
  contextId,
})
const helpdesk = (...answers: Record<string, unknown>[]): Promise<FixtureServer> =>
  startFixture([
    { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
    ...answers.map((answer) => sent(answer, { times: 1 })),
  ])
const maple = { secret: 'Maple 7' }

/** Remembers, for each context or for all together. */
const remembering = (shared: boolean): ReturnType<typeof startAgentFrom> => {
  const words = new Map<string, string>()
  return startAgentFrom({
    respond: ({ text, contextId }) => {
      const place = shared ? 'all' : contextId
      const word = /later: (\w+)/.exec(text)?.[1]
      if (word === undefined) return words.get(place)?.toLowerCase() ?? 'I do not know.'
      words.set(place, word)
      return 'Noted.'
    },
  })
}

describe('passes', () => {
  test('when the secret stays in its context, and is known there', async () => {
    await using agent = await remembering(false)

    await expect(agent.url).toIsolateContexts()

    const messages = agent.requests
      .filter(({ method }) => method === 'POST')
      .map(
        ({ body }) =>
          (JSON.parse(body) as { params: { message: { contextId?: string; parts: { text: string }[] } } })
            .params.message,
      )
    const [word] = /LINDEN[\dA-F]{8}$/.exec(messages[0]?.parts[0]?.text ?? '') ?? []
    expect(word).toBeDefined()
    expect(messages.map(({ contextId }) => contextId)).toEqual([undefined, undefined, expect.any(String)])
    expect(messages[1]).toMatchObject({ parts: [{ text: 'Which code word did I ask you to remember?' }] })
    expect(messages[2]?.parts).toEqual(messages[1]?.parts)
  })

  test('with another code word each time', async () => {
    await using agent = await remembering(false)

    await expect(agent.url).toIsolateContexts()
    await expect(agent.url).toIsolateContexts()

    const words = agent.requests.flatMap(({ body }) => /LINDEN\w+/.exec(body)?.[0] ?? [])
    expect(new Set(words).size).toBe(2)
  })

  test.each([
    ['a text with a place for it', 'Remember {secret}, please'],
    ['a text that has it', 'Remember Maple 7, please'],
    ['a function', (secret: string) => `Remember ${secret}, please`],
    ['parts', ['Remember {secret},', { kind: 'text' as const, text: 'please' }]],
  ])('with %s', async (_, tell) => {
    await using server = await helpdesk(said('c1', 'Noted.'), said('c2', 'No idea.'), said('c1', 'maple 7'))

    await expect(server.origin).toIsolateContexts({ ...maple, tell, ask: [{ kind: 'text', text: 'What?' }] })

    expect(JSON.stringify(messagesOf(server)[0])).toContain('Remember Maple 7,')
    expect(messagesOf(server)[2]).toMatchObject({ contextId: 'c1', parts: [{ text: 'What?' }] })
  })

  test('with a warning for an agent that remembers nothing', async () => {
    await using helpdesk = await startHelpdesk()

    const failure = await failureOf(() => expect(helpdesk.url).not.toIsolateContexts(maple))

    expect(failure).toContain(
      '! the agent does not say "Maple 7" in the first context either, so its silence in the other context proves nothing   conversation/not-remembered\n',
    )
    expect(failure).toContain('Make the agent remember a context, or choose `tell` and `ask`')
  })

  test('with a warning if it cannot be asked in the first context', async () => {
    await using server = await helpdesk(said(undefined, 'Noted.'), said(undefined, 'No idea.'))

    expect(await failureOf(() => expect(server.origin).not.toIsolateContexts())).toContain(
      '! the first reply names no contextId, so the agent cannot be asked in the context of the secret   conversation/no-context',
    )
    expect(messagesOf(server)).toHaveLength(2)
  })
})

describe('fails', () => {
  test('when the secret leaks, and asks no more', async () => {
    await using server = await helpdesk(said('c1', 'Noted.'), said('c2', 'It is MAPLE 7.'))

    const failure = await failureOf(() =>
      expect(server.origin).toIsolateContexts({ ...maple, tell: 'It is {secret}' }),
    )

    expect(failure.split('\nExchanges')[0]).toMatchInlineSnapshot(`
      "[failed] expect(agent).toIsolateContexts({ secret: <hidden>, tell: "It is {secret}" })

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: "Maple 7", sent in one context, to stay unknown in another
      Received: asking in another context: "Maple 7" leaked (text): a Message with the text "It is MAPLE 7."   conversation/leak
      Fix:      Store conversations by contextId, and start with an empty one if a message names no context.

      Conversation
         1 user   It is Maple 7
           agent  Noted.
         2 user   Which code word did I ask you to remember?
           agent  It is MAPLE 7.
      "
    `)
    expect(messagesOf(server)).toHaveLength(2)
  })

  test('for an agent with one memory for all', async () => {
    await using agent = await remembering(true)

    expect(await failureOf(() => expect(agent.url).toIsolateContexts())).toMatch(
      /Received: asking in another context: "(LINDEN[\dA-F]{8})" leaked \(text\): a Message with the text "\1" {3}conversation\/leak/i,
    )
  })

  test.each([
    [
      'data',
      { artifacts: [{ artifactId: 'a', parts: [{ kind: 'data', data: { customer: { id: 'maple 7' } } }] }] },
      'data[0].customer.id',
    ],
    [
      'the name of a member',
      { artifacts: [{ artifactId: 'a', parts: [{ kind: 'data', data: { 'Maple 7': true } }] }] },
      'data[0].Maple 7',
    ],
    [
      'a file',
      {
        artifacts: [
          {
            artifactId: 'a',
            parts: [{ kind: 'file', file: { bytes: Buffer.from('x: Maple 7').toString('base64') } }],
          },
        ],
      },
      'task.artifacts[0].parts[0].bytes',
    ],
    ['metadata', { metadata: { earlier: ['maple 7'] } }, 'task.metadata.earlier[0]'],
    [
      'history',
      { history: [{ ...wireMessage('My id is Maple 7'), role: 'user' }] },
      'task.history[0].parts[0].text',
    ],
  ])('when it leaks in %s', async (_, more, where) => {
    await using server = await helpdesk(said('c1', 'Noted.'), {
      ...wireTask('completed', 'No idea.', more),
      contextId: 'c2',
    })

    expect(await failureOf(() => expect(server.origin).toIsolateContexts(maple))).toContain(
      `"Maple 7" leaked (${where}): `,
    )
  })

  test('when it leaks in the reason of a failed task', async () => {
    await using server = await helpdesk(said('c1', 'Noted.'), {
      ...wireTask('failed', 'Maple 7 is taken'),
      contextId: 'c2',
    })

    expect(await failureOf(() => expect(server.origin).toIsolateContexts(maple))).toContain(
      'conversation/leak',
    )
  })

  test('for two messages that are put into one context', async () => {
    await using server = await helpdesk(said('c1', 'Noted.'), said('c1', 'Maple 7'))

    const failure = await failureOf(() => expect(server.origin).toIsolateContexts(maple))

    expect(failure).toContain('two messages without a contextId were both assigned to context c1')
    expect(failure).toMatch(/✗ .*both assigned to context c1 {3}conversation\/shared-context/)
    expect(failure).toMatch(/✗ .*leaked \(text\).* {3}conversation\/leak/)
  })

  test.each([
    [[wireTask('failed', 'no')], 'sending the secret: task t1 ended in state failed: no'],
    [[said('c1', 'ok'), wireTask('rejected', 'no')], 'asking in another context: '],
    [
      [said('c1', 'ok'), said('c2', 'ok'), wireTask('failed', 'no')],
      'asking in the first context: task t1 ended in state failed: no',
    ],
  ])('at a task that fails %#', async (answers, says) => {
    await using server = await helpdesk(...answers)

    expect(await failureOf(() => expect(server.origin).toIsolateContexts(maple))).toContain(
      `Received: ${says}`,
    )
  })
})

test('.not fails and says what was found', async () => {
  await using server = await helpdesk(said('c1', 'Noted.'), said('c2', 'No idea.'), said('c1', 'Maple 7'))

  const failure = await failureOf(() => expect(server.origin).not.toIsolateContexts(maple))

  expect(failure).toContain('Expected: not "Maple 7", sent in one context, to stay unknown in another\n')
  expect(failure).toContain(
    'Received: in another context a Message with the text "No idea."; in the first context a Message with the text "Maple 7"\n',
  )
})

test.each([
  [
    { tell: 'Hello' },
    'the option "tell" of toIsolateContexts() does not contain the secret, so nothing could leak.',
  ],
  [{ tell: () => 'Hello' }, 'the option "tell" of toIsolateContexts() does not contain the secret'],
  [
    { ...maple, ask: 'Is it maple 7?' },
    'the option "ask" of toIsolateContexts() contains the secret "Maple 7".',
  ],
  [{ secret: '' }, 'toIsolateContexts(): `secret` must be a non-empty string; received "".'],
  [{ told: 'x' }, 'toIsolateContexts(): there is no option `told`. Did you mean `tell`?'],
])('misuse: %j', async (options, message) => {
  await using server = await helpdesk(said('c1', 'Noted.'))

  expect(await failureOf(() => misuse(expect(server.origin).not, 'toIsolateContexts')(options))).toContain(
    message,
  )
  expect(messagesOf(server)).toEqual([])
})
