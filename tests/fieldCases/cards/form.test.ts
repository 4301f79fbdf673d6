import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../../src/card/checkAgentCard.ts'
import { bare, card03, card10, interface10, local } from '../../card/cards.ts'
import { levels } from '../../card/look.ts'

describe('B01 the right version, and nulls everywhere', () => {
  const nulls = {
    provider: null,
    documentationUrl: null,
    iconUrl: null,
    capabilities: { streaming: true, pushNotifications: null, extensions: null },
    skills: [
      {
        id: 'echo',
        name: 'Echo',
        description: 'Echo text',
        tags: ['demo'],
        examples: null,
        inputModes: null,
        outputModes: null,
      },
    ],
    securitySchemes: null,
    security: null,
    signatures: null,
  }

  test.each([
    ['1.0', card10({ ...nulls, supportedInterfaces: [interface10({ tenant: '' })] }), '1.0'],
    ['0.3', card03(nulls), '0.3'],
  ])('%s: one warning for all nulls', (_name, card, version) => {
    const report = checkAgentCard(card, local)
    expect(report.shape).toMatchObject({ version })
    expect(levels(report)).toEqual(['warning card/null-members'])
    expect(report.warnings[0]?.message).toBe(
      'null instead of absent: provider, documentationUrl, iconUrl, capabilities.pushNotifications, capabilities.extensions, ' +
        'securitySchemes, security, skills[0].examples, skills[0].inputModes, skills[0].outputModes, signatures',
    )
  })

  test('null in a required member is an error', () => {
    const report = checkAgentCard(card03({ url: null }), local)
    expect(levels(report)).toEqual(['error card/url'])
    expect(report.errors[0]?.message).toContain('url is null')
  })

  test('neither url nor supportedInterfaces', () => {
    const { url: _, ...card } = bare()
    expect(checkAgentCard(card, local).errors[0]?.message).toContain('neither url nor supportedInterfaces')
  })
})

test('B02 a card in the layout of 1.0 that claims 0.3 has no verdict on its own, and can still be called', () => {
  const report = checkAgentCard(
    card10({ supportedInterfaces: [interface10({ protocolVersion: '0.3' })] }),
    local,
  )
  expect(report.shape.kind).toBe('ambiguous')
  expect(report.interfaces).toMatchObject([
    { dialect: '0.3', version: '0.3', path: 'supportedInterfaces[0]' },
  ])
})

describe('B04 the card is written in snake_case', () => {
  const skills = [
    { id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'], input_modes: ['text/plain'] },
  ]

  test('1.0: one grouped error with every rename, and the card is read', () => {
    const report = checkAgentCard(
      {
        name: 'Echo Desk',
        description: 'Repeats what it hears',
        version: '1.0.0',
        supported_interfaces: [
          { url: 'http://127.0.0.1:4100/rpc', protocol_binding: 'JSONRPC', protocol_version: '1.0' },
        ],
        capabilities: { streaming: true, push_notifications: false },
        default_input_modes: ['text/plain'],
        default_output_modes: ['text/plain'],
        skills,
      },
      local,
    )
    expect(levels(report)).toEqual(['error card/camel-case'])
    const message = report.errors[0]?.message ?? ''
    expect(message).toContain('field names must be camelCase')
    for (const rename of [
      'supported_interfaces → supportedInterfaces',
      'supported_interfaces[0].protocol_binding → protocolBinding',
      'supported_interfaces[0].protocol_version → protocolVersion',
      'capabilities.push_notifications → pushNotifications',
      'default_input_modes → defaultInputModes',
      'default_output_modes → defaultOutputModes',
      'skills[0].input_modes → inputModes',
    ]) {
      expect(message).toContain(rename)
    }
    expect(report.interfaces).toMatchObject([{ url: 'http://127.0.0.1:4100/rpc', dialect: '1.0' }])
  })

  test('0.x: a warning, because the expect-a2a card table says so', () => {
    const report = checkAgentCard(card03({ skills }), local)
    expect(levels(report)).toEqual(['warning card/camel-case'])
  })
})

describe('B05 empty card, empty skills, skills without tags', () => {
  test('empty: one error that names every required member', () => {
    const { errors, findings } = checkAgentCard({}, local)
    expect(findings).toHaveLength(1)
    for (const name of [
      'name',
      'description',
      'supportedInterfaces',
      'url',
      'version',
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'skills',
    ]) {
      expect(errors[0]?.message).toContain(name)
    }
  })

  test('no skills, and twice the same id: a warning in 1.0', () => {
    expect(levels(checkAgentCard(card10({ skills: [] }), local))).toEqual(['warning card/skills-empty'])
    const one = { id: 'echo', name: 'A', description: 'a', tags: ['x'] }
    expect(levels(checkAgentCard(card10({ skills: [one, one] }), local))).toEqual([
      'warning card/skill-id-unique',
    ])
  })

  test('no tags: an error in 1.0 and a warning before, because the corpus of real cards is judged so', () => {
    const skills = [{ id: 'echo', name: 'Echo', description: 'Echo text' }]
    expect(levels(checkAgentCard(card10({ skills }), local))).toEqual(['error card/skill-tags'])
    expect(levels(checkAgentCard(card03({ skills }), local))).toEqual(['warning card/skill-tags'])
  })

  test('twice the same id before 1.0: an error, because the expect-a2a card table says so', () => {
    const one = { id: 'echo', name: 'A', description: 'a', tags: ['x'] }
    expect(levels(checkAgentCard(card03({ skills: [one, one] }), local))).toEqual([
      'error card/skill-id-unique',
    ])
  })
})

describe('I03 API key scheme with the wrong key names', () => {
  const keyed = (scheme: unknown): Record<string, unknown> =>
    card03({ securitySchemes: { helpdesk: scheme }, security: [{ helpdesk: [] }] })

  test('bad', () => {
    const { errors } = checkAgentCard(keyed({ type: 'apiKey', in_: 'header', name: 'X-Desk-Key' }), local)
    expect(errors.map(({ message }) => message)).toEqual([
      'securitySchemes.helpdesk: unknown key "in_", expected "in"',
    ])
  })

  test('good in 0.3 and in 1.0', () => {
    expect(
      levels(checkAgentCard(keyed({ type: 'apiKey', in: 'header', name: 'X-Desk-Key' }), local)),
    ).toEqual([])
    const card = card10({
      securitySchemes: { helpdesk: { apiKeySecurityScheme: { location: 'header', name: 'X-Desk-Key' } } },
      securityRequirements: [{ schemes: { helpdesk: { list: [] } } }],
    })
    expect(levels(checkAgentCard(card, local))).toEqual([])
  })

  test('a requirement that names an undeclared scheme', () => {
    const card = {
      ...keyed({ type: 'apiKey', in: 'header', name: 'X-Desk-Key' }),
      security: [{ secondHelpdesk: [] }],
    }
    expect(checkAgentCard(card, local).errors[0]?.message).toBe(
      'security refers to "secondHelpdesk", which is not in securitySchemes',
    )
  })
})
