import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { readCard } from '../../src/card/readCard.ts'
import type { CardShape } from '../../src/card/types.ts'
import { card01, card03, card10, interface10, without } from './cards.ts'

const classify = (document: unknown): CardShape => readCard(document, {}).shape

describe('the version of a card', () => {
  test.each([
    ['0.3.0', card03(), '0.3'],
    ['0.2.5', card03({ protocolVersion: '0.2.5' }), '0.2'],
    ['0.1.0', card03({ protocolVersion: '0.1.0' }), '0.1'],
    ['no version', without(card03(), 'protocolVersion'), '0.2'],
    ['no version, authentication', card01(), '0.1'],
    ['no version, authentication and later members', card01({ securitySchemes: {} }), '0.2'],
    ['a version that is none', card03({ protocolVersion: 'latest' }), '0.3'],
    ['a version that is a number', card03({ protocolVersion: 1 }), '0.3'],
    ['1.0', card10(), '1.0'],
    ['1.0 with a patch', card10({ supportedInterfaces: [interface10({ protocolVersion: '1.0.1' })] }), '1.0'],
    ['a later version', card10({ supportedInterfaces: [interface10({ protocolVersion: '2.0' })] }), '1.0'],
    [
      '0.3 before 1.0',
      card10({ supportedInterfaces: [interface10({ protocolVersion: '0.3' }), interface10()] }),
      '1.0',
    ],
    [
      'a draft without versions',
      card10({ supportedInterfaces: [without(interface10(), 'protocolVersion')] }),
      '1.0',
    ],
    [
      'in snake_case',
      {
        ...without(card10(), 'supportedInterfaces'),
        supported_interfaces: [
          { url: 'https://a.example', protocol_binding: 'JSONRPC', protocol_version: '1.0' },
        ],
      },
      '1.0',
    ],
    ['empty supportedInterfaces and a url', card03({ supportedInterfaces: [] }), '0.3'],
    [
      'only 0.3 interfaces and a url',
      card03({ supportedInterfaces: [interface10({ protocolVersion: '0.3' })] }),
      '0.3',
    ],
    [
      'says 1.0, has no address',
      without(card03({ protocolVersion: '1.0' }), 'url', 'preferredTransport'),
      '1.0',
    ],
    [
      'neither url nor supportedInterfaces',
      without(card03(), 'url', 'protocolVersion', 'preferredTransport'),
      '0.2',
    ],
  ])('%s', (_what, card, version) => {
    expect(classify(card)).toMatchObject({ kind: 'card', version })
  })

  test('says how it was detected', () => {
    expect(classify(card10())).toMatchObject({ why: 'supportedInterfaces[0] has protocolVersion "1.0"' })
    expect(classify(without(card03(), 'protocolVersion'))).toMatchObject({
      why: 'no protocolVersion: a card without one is treated as 0.2',
    })
    expect(checkAgentCard({}, { version: '0.3' }).shape).toMatchObject({ why: "the option version: '0.3'" })
  })
})

describe('mixed signs', () => {
  test.each([
    ['0.x layout, says 1.0', card03({ protocolVersion: '1.0' }), 'protocolVersion "1.0"; a top-level url'],
    ['0.x layout, says 2', card03({ protocolVersion: '2' }), 'protocolVersion "2"; a top-level url'],
    [
      '1.0 layout, says 0.3',
      card10({ supportedInterfaces: [interface10({ protocolVersion: '0.3' })] }),
      'every interface says protocolVersion "0.3"',
    ],
    [
      'interfaces of neither',
      card03({ supportedInterfaces: [{ url: 'https://a.example', transport: 'JSONRPC' }] }),
      'but transport; a top-level url',
    ],
    [
      '1.0 requirements in a 0.x layout',
      without(card03({ securityRequirements: [{}] }), 'protocolVersion'),
      'securityRequirements (a 1.0 member); a top-level url',
    ],
  ])('%s', (_what, card, why) => {
    const shape = classify(card)
    expect(shape.kind).toBe('ambiguous')
    expect(shape.kind === 'ambiguous' ? shape.why : '').toContain(why)
  })
})

describe('a document that is not a card', () => {
  test.each([
    [
      {},
      'an empty JSON object, without name, description, version, url or supportedInterfaces, capabilities, defaultInputModes, defaultOutputModes, skills',
    ],
    [[card03()], 'a JSON list of 1 items'],
    [null, 'JSON null'],
    ['"hi"', 'a JSON string ("hi")'],
    [5, 'a JSON number (5)'],
    ['<!doctype html><title>Desk</title>', 'an HTML page ("<!doctype html><title>Desk</title>": '],
    ['{"name": ', 'text that is not JSON ("{\\"name\\":": '],
    [
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } },
      'a JSON-RPC response with error -32600 "Invalid Request"',
    ],
    [{ detail: 'Not Found' }, 'an error body ("Not Found")'],
    [{ error: { message: 'no' } }, 'an error body ("no")'],
    [{ ok: true, agentCard: card03() }, 'an agent card wrapped in "agentCard"'],
    [{ name: 'a', type: 'mcp-server' }, 'an MCP server manifest'],
    [
      { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } },
      'an MCP server manifest',
    ],
    [{ openapi: '3.1.0', info: {} }, 'an OpenAPI document'],
    [{ schema_version: 'v1', name_for_model: 'a' }, 'a plugin manifest (ai-plugin.json)'],
    [{ issuer: 'https://a.example' }, 'an OAuth or OpenID Connect metadata document'],
    [{ name: 'a', start_url: '/', icons: [] }, 'a web app manifest'],
    [{ name: 'a', dependencies: {} }, 'a package.json'],
    [{ agents: [] }, 'a list of agents, such as a registry serves'],
    [{ name: 'a', protocol: 'ERC-8004' }, 'an ERC-8004 registration file (protocol "ERC-8004")'],
  ])('%j', (document, looksLike) => {
    const report = checkAgentCard(document)
    expect(report.shape.kind).toBe('not-a2a')
    expect(report.findings).toHaveLength(1)
    expect(report.findings[0]?.message).toContain(`not an A2A agent card: it looks like ${looksLike}`)
    expect(report).toMatchObject({ scores: { card: 0 }, interfaces: [], rulesApplied: 0 })
    expect(report).not.toHaveProperty('card')
  })
})

test('reads JSON text as well as an object, even with a byte order mark', () => {
  const report = checkAgentCard(`\uFEFF${JSON.stringify(card03())}`)
  expect(report.shape).toMatchObject({ kind: 'card', version: '0.3' })
})
