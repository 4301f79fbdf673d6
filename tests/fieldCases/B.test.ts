import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { expand } from '../support/fixture.ts'
import { entry, fixture, open, type Desk } from './scene.ts'

const wellKnown = 'GET /.well-known/agent-card.json'
type Card = Record<string, unknown>

describe('B01 the right version judges the card, and null means absent', () => {
  const nulls =
    'null instead of absent: provider, documentationUrl, iconUrl, capabilities.pushNotifications, ' +
    'capabilities.extensions, securitySchemes, security, skills[0].examples, skills[0].inputModes, ' +
    'skills[0].outputModes, signatures'

  /** The fixture's card as 0.3 writes it. */
  const as03 = (patch: Card = {}) => {
    const scene = fixture('B01')
    const answer = entry(scene, wellKnown)
    const { supportedInterfaces: _, ...card } = answer.json as Card
    answer.json = { protocolVersion: '0.3.0', url: 'http://127.0.0.1:4100/', ...card, ...patch }
    return scene
  }

  test.each([
    ['1.0', () => fixture('B01')],
    ['0.3', as03],
  ])('%s: one warning for all nulls, and the version is named', async (version, scene) => {
    await using helpdesk = await open(scene())

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toHaveValidAgentCard())

    expect(failure).toMatch(
      new RegExp(`Received: a card with 1 warning by the \\d+ rules of A2A ${version} \\(`),
    )
    expect(failure).toContain(`! ${nulls}   card/null-members`)
    expect(failure).not.toMatch(/url is missing|supportedInterfaces is missing/)
  })

  test('null in a required member fails', async () => {
    await using helpdesk = await open(as03({ url: null }))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('✗ url  url is null')
  })

  test('neither url nor supportedInterfaces fails', async () => {
    await using helpdesk = await open(as03({ url: undefined }))

    expect(await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())).toContain(
      'neither url nor supportedInterfaces',
    )
  })

  test('both: the 1.0 view judges, because the 0.3 half is only for old clients; the addresses of both are checked', async () => {
    const scene = fixture('B01')
    const half = { url: 'http://0.0.0.0:4100/', preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' }
    Object.assign(entry(scene, wellKnown).json as Card, half)
    await using helpdesk = await open(scene)

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toHaveValidAgentCard())

    expect(failure).toContain('rules of A2A 1.0 (supportedInterfaces[0] has protocolVersion "1.0")')
    expect(failure).toContain('! url  url is "http://0.0.0.0:4100/"')
  })
})

describe('B02 the card claims 0.3, the server only understands 1.0', () => {
  test('the smoke check passes with a warning that says what to declare', async () => {
    await using helpdesk = await open(fixture('B02'))

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toPassSmokeCheck())

    expect(failure).toContain(
      '! supportedInterfaces[0]  card says 0.3, but message/send → -32601 and SendMessage works: declare protocolVersion 1.0',
    )
    expect(helpdesk.methods().at(-1)).toBe('SendMessage')
    expect(await helpdesk.agent().send('ping')).toMatchObject({ text: 'hi', dialect: '1.0', declared: '0.3' })
  })

  test('the card alone is inconclusive, because it mixes the layout of 1.0 with the number of 0.3', async () => {
    await using helpdesk = await open(fixture('B02'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[inconclusive\] /)
    expect(failure).toContain('every interface says protocolVersion "0.3"')
    expect(failure).toMatch(/version: '0\.3'/)
    await expect(helpdesk.agent({ version: '1.0' }).card()).resolves.toMatchObject({
      report: { shape: { version: '1.0' } },
    })
  })

  test('the option version forbids the fallback', async () => {
    await using helpdesk = await open(fixture('B02'))

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent({ version: '0.3' })).toPassSmokeCheck(),
    )

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'message/send was answered with error -32601 (MethodNotFound): "Method not found"',
    )
    expect(helpdesk.methods()).toEqual(['message/send'])
  })

  test('1.0 is declared and 0.3 is spoken', async () => {
    const scene = fixture('B02')
    entry(scene, wellKnown).patch = {}
    scene.exchange = [
      entry(scene, wellKnown),
      { ...entry(scene, 'message/send'), rpc: 'SendMessage' },
      {
        on: 'POST /rpc',
        rpc: 'message/send',
        json: {
          jsonrpc: '2.0',
          id: '$id',
          result: { kind: 'message', messageId: 'm2', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] },
        },
      },
    ]
    await using helpdesk = await open(scene)

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toReply('ping', 'hi'))).toContain(
      'card says 1.0, but SendMessage → -32601 and message/send works: declare protocolVersion 0.3',
    )
  })

  const rpc = (code: number) => ({
    status: 200,
    json: { jsonrpc: '2.0', id: '$id', error: { code, message: 'no' } },
  })
  test.each([
    ['-32009', rpc(-32009), true],
    ['HTTP 404', { status: 404, text: 'no route' }, true],
    ['HTTP 405', { status: 405, text: '' }, true],
    ['HTTP 501', { status: 501, text: '' }, true],
    ['-32602', rpc(-32602), false],
    ['-32603', rpc(-32603), false],
    ['HTTP 500', { status: 500, text: 'boom' }, false],
    ['HTTP 503', { status: 503, text: 'busy' }, false],
  ])('another dialect is tried after %s: %#', async (_what, answer, fallsBack) => {
    const scene = fixture('B02')
    const refusing = entry(scene, 'message/send')
    delete refusing.json
    Object.assign(refusing, answer)
    await using helpdesk = await open(scene)

    if (fallsBack) await expect(helpdesk.url).toReply('ping', 'hi')
    else await helpdesk.failure(() => expect(helpdesk.url).toReply('ping', 'hi'))

    expect(helpdesk.methods()).toEqual(fallsBack ? ['message/send', 'SendMessage'] : ['message/send'])
  })

  test('an error in the other dialect does not hide why that one was tried', async () => {
    const scene = fixture('B02')
    Object.assign(entry(scene, 'SendMessage'), rpc(-32602))
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toReply('ping', 'hi'))

    expect(failure).toContain('SendMessage was answered with error -32602 (InvalidParams): "no"')
    expect(failure).toContain('; before that message/send → -32601')
  })
})

describe('B04 the card is written in snake_case', () => {
  test('one grouped error with every rename', async () => {
    await using helpdesk = await open(fixture('B04'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure.match(/^ {2}✗ /gm)).toHaveLength(1)
    expect(failure).toContain('✗ field names must be camelCase')
    for (const rename of [
      'supported_interfaces → supportedInterfaces',
      'supported_interfaces[0].protocol_binding → protocolBinding',
      'supported_interfaces[0].protocol_version → protocolVersion',
      'capabilities.push_notifications → pushNotifications',
      'default_input_modes → defaultInputModes',
      'default_output_modes → defaultOutputModes',
      'skills[0].input_modes → inputModes',
    ])
      expect(failure).toContain(rename)
    expect(failure).not.toContain('missing')
  })

  test('the agent is called anyway', async () => {
    const scene = fixture('B04')
    scene.exchange?.push(entry(fixture('B02'), 'SendMessage'))
    await using helpdesk = await open(scene)

    await expect(helpdesk.url).toPassSmokeCheck()
    await expect(helpdesk.url).toAdvertiseSkill('echo')
  })

  test('names inside free maps are left alone', async () => {
    const scene = fixture('B04')
    const card = entry(scene, wellKnown).json as { capabilities: Card; security_schemes?: Card }
    card.security_schemes = { desk_key: { apiKeySecurityScheme: { location: 'header', name: 'X-Desk' } } }
    card.capabilities.extensions = [{ uri: 'urn:x', params: { max_items: 3 } }]
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toContain('security_schemes → securitySchemes')
    expect(failure).not.toMatch(/desk_key →|max_items/)
  })

  test("before 1.0 it is a warning, because the product's card table says so", async () => {
    const scene = fixture('B04')
    const answer = entry(scene, wellKnown)
    const { supported_interfaces: _, ...card } = answer.json as Card
    answer.json = { protocolVersion: '0.3.0', url: 'http://127.0.0.1:4100/rpc', ...card }
    await using helpdesk = await open(scene)

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toHaveValidAgentCard())).toContain(
      '! field names must be camelCase',
    )
  })
})

describe('B05 empty card, empty skills, skills without tags', () => {
  const serving = (name: string, patch: Card = {}): Promise<Desk> => {
    const { cards } = fixture('B05')
    const card = expand(cards?.[name]) as Card
    return open({ exchange: [{ on: wellKnown, json: { ...card, ...patch } }] })
  }
  /** The same card as 0.3 writes it. */
  const old = {
    supportedInterfaces: undefined,
    protocolVersion: '0.3.0',
    url: 'http://127.0.0.1:4100/rpc',
    preferredTransport: 'JSONRPC',
  }

  test('an empty card fails once, and every required field is named', async () => {
    await using helpdesk = await serving('empty')

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure.match(/^ {2}✗ /gm)).toHaveLength(1)
    const names =
      'name description supportedInterfaces url version capabilities defaultInputModes defaultOutputModes skills'
    for (const name of names.split(' ')) expect(failure).toContain(name)
  })

  test.each([
    ['noSkills', 'card/skills-empty'],
    ['dupSkillIds', 'card/skill-id-unique'],
  ])('%s is a warning', async (name, id) => {
    await using helpdesk = await serving(name)

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toHaveValidAgentCard())).toMatch(
      new RegExp(`^ {2}! .* ${id} `, 'm'),
    )
  })

  test('noTags is an error in 1.0 and a warning before, because real cards are judged so', async () => {
    await using helpdesk = await serving('noTags')
    expect(await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())).toMatch(
      /^ {2}✗ skills\[0\]\.tags .* card\/skill-tags /m,
    )

    await using before = await serving('noTags', old)
    expect(await before.passing(() => expect(before.url).not.toHaveValidAgentCard())).toMatch(
      /^ {2}! skills\[0\]\.tags .* card\/skill-tags /m,
    )
  })

  test("dupSkillIds is an error before 1.0, because the product's card table says so", async () => {
    await using helpdesk = await serving('dupSkillIds', old)

    expect(await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())).toMatch(
      /^ {2}✗ .* card\/skill-id-unique /m,
    )
  })

  test('a list that was left out is read as an empty one', async () => {
    await using helpdesk = await serving('noSkills', { skills: undefined })

    expect(await helpdesk.failure(() => expect(helpdesk.url).toAdvertiseSkill('echo'))).toContain('[failed] ')
  })
})
