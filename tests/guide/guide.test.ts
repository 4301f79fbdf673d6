import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { serveAgent } from '../../src/agent/serve.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import type { AgentOptions } from '../../src/client/types.ts'
import { systemDeps } from '../../src/core/deps.ts'
import { startStudio } from '../../src/testing/index.ts'
import { failureOf } from '../matchers/support.ts'

/** A document as the guide to A2A 0.1 prints it. */
const raw = (name: string): string =>
  readFileSync(new URL(`../fixtures/guide/${name}.json`, import.meta.url), 'utf8')

const json = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } })

interface Endpoint extends AsyncDisposable {
  agent: A2AAgent
  /** Bodies that were posted, as sent. */
  sent: string[]
  headers: Headers[]
}

type EndpointOptions = AgentOptions & {
  /** The card, as text. */
  document?: string
  /** Ids that the client makes, in order: of the message, of the task, of the session. */
  ids?: string[]
}

/** Serves the guide's endpoint with its own documents; `answer` makes the body of a POST. */
async function endpoint(
  answer: (request: string) => Response,
  { document = raw('card'), ids = [], ...options }: EndpointOptions = {},
): Promise<Endpoint> {
  const sent: string[] = []
  const headers: Headers[] = []
  let made = 0
  const agent = await serveAgent(
    {
      routes: {
        '/.well-known/agent.json': () => json(document),
        '/api/agent': {
          GET: () => json(document),
          POST: async (request) => {
            sent.push(await request.text())
            headers.push(request.headers)
            return answer(sent.at(-1)!)
          },
        },
      },
      ...options,
    },
    // The guide's answers all have the id 1.
    systemDeps({ id: () => ids[made++] ?? `made-${made}`, rpcId: () => 1, env: {} }),
  )
  return { agent, sent, headers, [Symbol.asyncDispose]: () => agent.close() }
}

const unused = (): Response => json('{}', 500)

describe('Test 1: the card', () => {
  test.each(['card', 'card-reference'])('%s is valid 0.1', async (name) => {
    await using helpdesk = await endpoint(unused, { document: raw(name) })

    await expect(helpdesk.agent).toHaveValidAgentCard()
    const { report } = await helpdesk.agent.card()
    expect(report.shape).toMatchObject({ kind: 'card', version: '0.1' })
    expect(report.errors).toEqual([])
  })

  test('what the guide looks for is there', async () => {
    await using helpdesk = await endpoint(unused)

    await expect(helpdesk.agent).toAdvertiseSkill('general-inquiry', { name: 'General Inquiry' })
    await expect(helpdesk.agent).not.toAdvertiseCapability('streaming')
    const { report } = await helpdesk.agent.card()
    expect(report.card).toMatchObject({ name: 'Your Company Agent', url: 'https://yourdomain.com/api/agent' })
  })

  test('the four skills of the guide, each with the examples that it asks for', async () => {
    const card = { ...JSON.parse(raw('card')), ...JSON.parse(raw('skills')) }
    await using helpdesk = await endpoint(unused, { document: JSON.stringify(card) })

    await expect(helpdesk.agent).toHaveValidAgentCard()
    for (const id of ['get-services', 'get-pricing', 'get-case-studies', 'schedule-consultation'])
      await expect(helpdesk.agent).toAdvertiseSkill(id)
  })

  test('the demo agent', async () => {
    await using studio = await startStudio()

    await expect(studio.url).toHaveValidAgentCard()
    for (const id of ['get-services', 'get-pricing', 'get-case-studies', 'schedule-consultation'])
      await expect(studio.url).toAdvertiseSkill(id)
  })
})

describe('Test 2: a basic task', () => {
  // 0.1 also has a session, which the guide leaves out; it is what a conversation hangs on.
  const withoutSession = (body: string): unknown => {
    const { params, ...rest } = JSON.parse(body) as { params: Record<string, unknown> }
    const { sessionId, ...known } = params
    expect(sessionId).toEqual(expect.any(String))
    return { ...rest, params: known }
  }

  test.each([
    ['request', 'unique-task-id-from-sender', 'The actual question or task'],
    ['test-2', 'test-001', 'What services do you offer?'],
  ])(
    '%s is sent as the guide prints it, plus a session id, which keeps the conversation together',
    async (name, id, text) => {
      await using helpdesk = await endpoint(() => json(raw('response')), {
        ids: ['message', id, 'session'],
      })

      await helpdesk.agent.send(text)

      expect(helpdesk.sent).toHaveLength(1)
      expect(withoutSession(helpdesk.sent[0]!)).toEqual(JSON.parse(raw(name)))
      // Key order and spelling, too.
      const printed = JSON.stringify(JSON.parse(raw(name)))
      expect(helpdesk.sent[0]!.replace('"sessionId":"session",', '')).toBe(printed)
      expect(helpdesk.headers[0]?.get('content-type')).toBe('application/json')
    },
  )

  test("the guide's response is read", async () => {
    await using helpdesk = await endpoint(() => json(raw('response')), {
      ids: ['message', 'unique-task-id-from-sender', 'session'],
    })

    const reply = await helpdesk.agent.send('The actual question or task')

    expect(reply).toHaveReplyText("The agent's response to the task", { exact: true })
    expect(reply).toBeInTaskState('completed')
    expect(reply).toMatchObject({
      kind: 'task',
      taskId: 'unique-task-id-from-sender',
      contextId: 'session',
      dialect: '0.1',
      declared: '0.1',
      artifacts: [{ parts: [{ kind: 'text', text: "The agent's response to the task" }] }],
      data: [],
      files: [],
      unsettled: false,
    })
    // Where the card's public address was called is the only thing to say.
    expect(reply.findings.map(({ id, level }) => `${level} ${id}`)).toEqual(['note wire/address-moved'])
  })

  test('the matchers', async () => {
    await using helpdesk = await endpoint(() => json(raw('response')))

    await expect(helpdesk.agent).toPassSmokeCheck()
    await expect(helpdesk.agent).toReply('The actual question or task', /response to the task/)
    await expect(helpdesk.agent).toReachTaskState('The actual question or task', 'completed')
  })

  test('the demo agent', async () => {
    await using studio = await startStudio()

    await expect(studio.url).toPassSmokeCheck()
    await expect(studio.url).toReply('What services do you offer?', 'web applications')
  })
})

describe('Test 3: errors', () => {
  test("the guide's error is read", async () => {
    await using helpdesk = await endpoint(() => json(raw('error'), 400))

    const printed = await failureOf(() => expect(helpdesk.agent).toPassSmokeCheck())

    expect(printed).toContain('[failed] ')
    expect(printed).toContain(
      `tasks/send was answered with error -32600 (InvalidRequest): "Invalid request: missing required field 'params.message'"`,
    )
  })

  test.each([
    [-32700, 'Parse error', 400, 'ParseError'],
    [-32600, 'Invalid request', 400, 'InvalidRequest'],
    [-32601, 'Method not found', 404, 'MethodNotFound'],
    [-32602, 'Invalid params', 400, 'InvalidParams'],
    [-32603, 'Internal error', 500, 'InternalError'],
    [-32000, 'Authentication required', 401, undefined],
    [-32000, 'Invalid token', 403, undefined],
  ])('%i (%s) with HTTP %i', async (code, message, status, name) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: code === -32700 ? null : 1, error: { code, message } })
    await using helpdesk = await endpoint(() => json(body, status), { version: '0.1' })

    await expect(helpdesk.agent.send('hi')).rejects.toMatchObject({
      name: 'A2AReplyError',
      code: 'RPC_ERROR',
      rpcCode: code,
      status,
    })
    const printed = await failureOf(() => expect(helpdesk.agent).toReply('hi'))
    expect(printed).toContain(`error ${code}${name === undefined ? '' : ` (${name})`}: "${message}"`)
    expect(printed).toContain(`HTTP ${status}`)
  })

  test('the demo agent refuses a method that it does not know', async () => {
    await using studio = await startStudio()
    await using agent = a2aAgent(studio.url, { version: '0.3' })

    expect(await failureOf(() => expect(agent).toPassSmokeCheck())).toContain(
      'message/send was answered with error -32601 (MethodNotFound): "Method not found: message/send"',
    )
  })

  test('and callers without its token', async () => {
    await using studio = await startStudio({ token: 't0ken' })

    expect(await failureOf(() => expect(studio.url).toPassSmokeCheck())).toContain(
      'error -32000: "Authentication required"',
    )
    await using wrong = a2aAgent(studio.url, { credentials: { bearer: 'wr0ng-one' } })
    const printed = await failureOf(() => expect(wrong).toPassSmokeCheck())
    expect(printed).toContain('error -32000: "Invalid token"')
    expect(printed).not.toContain('wr0ng-one')
    await using right = a2aAgent(studio.url, { credentials: { bearer: 't0ken' } })
    await expect(right).toPassSmokeCheck()
  })
})

describe('Test 5: GET of the endpoint gives the card', () => {
  test('and it is read from there', async () => {
    await using helpdesk = await endpoint(unused, { cardUrl: '/api/agent' })

    await expect(helpdesk.agent).toHaveValidAgentCard()
    const { discovery } = await helpdesk.agent.card()
    expect(discovery.found?.json).toEqual(JSON.parse(raw('card')))
    expect(discovery.attempts.map(({ url }) => new URL(url).pathname)).toEqual(['/api/agent'])
  })

  test('from the demo agent, too', async () => {
    await using studio = await startStudio()
    await using agent = a2aAgent(studio.url, { cardUrl: `${studio.url}/api/agent` })

    await expect(agent).toHaveValidAgentCard()
    await expect(agent).toReply('How much does a website cost?', '$3,000')
  })

  test('the address of the endpoint leads to the card', async () => {
    await using studio = await startStudio()

    await expect(`${studio.url}/api/agent`).toReply('How much does a website cost?', '$3,000')
  })
})

describe('authentication, browsers and the checklist', () => {
  test('4: GET of the endpoint gives the card', async () => {
    await using helpdesk = await endpoint(unused)
    await using studio = await startStudio()

    await expect(helpdesk.agent).toAnswerCardAtEndpoint()
    await expect(studio.url).toAnswerCardAtEndpoint()
  })

  test.each([undefined, 't0ken'])('6: OPTIONS gives the three headers (token %s)', async (token) => {
    await using studio = await startStudio(token === undefined ? {} : { token })

    await expect(studio.url).toAllowCors({ methods: ['GET', 'POST'] })
  })

  test('6: without the handler for OPTIONS a browser blocks the POST', async () => {
    await using helpdesk = await endpoint(unused)

    const printed = await failureOf(() => expect(helpdesk.agent).toAllowCors())

    // A framework that answers OPTIONS on its own does not allow the request yet.
    expect(printed).toContain(
      'Received: OPTIONS http://127.0.0.1:<port>/api/agent has no Access-Control-Allow-Origin, so a browser keeps it',
    )
    expect(printed).toContain('the answer to tasks/get has no Access-Control-Allow-Origin')
  })

  test('10: authentication is what the card declares: none, bearer (401, then 403) or an API key (403)', async () => {
    await using open = await startStudio()
    await using bearer = await startStudio({ token: 't0ken' })
    await using keyed = await endpoint((body) => json(body, 403), {
      document: JSON.stringify({ ...JSON.parse(raw('card')), authentication: { schemes: ['apiKey'] } }),
    })

    expect(await failureOf(() => expect(open.url).toRequireAuthentication())).toContain(
      'Error: the card declares no authentication, so there is nothing to require',
    )
    await expect(bearer.url).toRequireAuthentication({ credentials: { bearer: 't0ken' } })
    await expect(keyed.agent).toRequireAuthentication()
    // The guide's key goes into x-api-key; 0.1 has no place to say so.
    expect(keyed.headers.map((headers) => headers.get('x-api-key'))).toEqual([
      null,
      '',
      expect.stringMatching(/^made\d+$/),
      null,
      '',
      expect.stringMatching(/^made\d+$/),
    ])
  })
})

describe('several turns', () => {
  const question = "I'd be happy to provide a quote. What type of project are you looking to build?"

  test('a task that asks for input is continued under its own id', async () => {
    const asking = (body: string): Response => {
      const { id, params } = JSON.parse(body) as { id: unknown; params: { id: string } }
      const message = { role: 'agent', parts: [{ type: 'text', text: question }] }
      const result =
        helpdesk.sent.length === 1
          ? { id: params.id, status: { state: 'input-required', message } }
          : {
              id: params.id,
              status: { state: 'completed' },
              artifacts: [{ parts: [{ type: 'text', text: 'Done.' }] }],
            }
      return json(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
    await using helpdesk = await endpoint(asking)

    const asked = await helpdesk.agent.send('I need a quote')
    expect(asked).toBeInTaskState('input-required')
    expect(asked).toHaveReplyText(question, { exact: true })
    await expect(helpdesk.agent).toReply('A web shop', 'Done.', { after: asked })

    const [first, second] = helpdesk.sent.map((body) => (JSON.parse(body) as { params: object }).params)
    expect(second).toMatchObject({ id: asked.taskId, sessionId: asked.contextId })
    expect(first).toMatchObject({ id: asked.taskId, sessionId: asked.contextId })
  })

  test('the demo agent', async () => {
    await using studio = await startStudio()
    await using agent = a2aAgent(studio.url)

    await expect(agent).toReachTaskState('I need a quote', 'input-required')
    const asked = await agent.send('I need a quote')
    await expect(agent).toReply('A web shop', '"A web shop"', { after: asked })
  })
})
