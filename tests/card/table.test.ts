import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { card01, card03, local, skill, without } from './cards.ts'

type Cell = [what: string, patch: Record<string, unknown>, expected: 'silence' | string[], says?: string]

/** undefined takes a member out. */
function patched(patch: Record<string, unknown>): Record<string, unknown> {
  const gone = Object.keys(patch).filter((name) => patch[name] === undefined)
  return without(card03(patch), ...gone)
}

const rest = { url: 'http://127.0.0.1:4100/rest', transport: 'HTTP+JSON' }
const rpc = { url: 'http://127.0.0.1:4100/rpc', transport: 'JSONRPC' }

/** Every cell of the expect-a2a card table: `error path` or `warning path`, or nothing. */
const cells: Record<string, Cell[]> = {
  'name, description, version': ['name', 'description', 'version'].flatMap((field): Cell[] => [
    [`${field} missing`, { [field]: undefined }, [`error ${field}`], `${field} is missing`],
    [`${field} empty`, { [field]: '  ' }, [`error ${field}`], `${field} is empty`],
    [`${field} a number`, { [field]: 7 }, [`error ${field}`], `${field} must be a string, not 7`],
    [`${field} a text`, { [field]: 'x' }, 'silence'],
  ]),
  url: [
    [
      'missing, no other',
      { url: undefined },
      ['error url'],
      'url is missing, and no additionalInterfaces entry has one',
    ],
    [
      'not http(s)',
      { url: 'ftp://a.example/' },
      ['error url'],
      'url "ftp://a.example/" must be an absolute http(s) URL',
    ],
    ['a number', { url: 5 }, ['error url'], 'url 5 must be an absolute http(s) URL'],
    ['no host', { url: 'http://' }, ['error url']],
    [
      'missing, an additional interface has one',
      { url: undefined, additionalInterfaces: [rpc] },
      ['warning url'],
      'url is missing; additionalInterfaces[0].url has one',
    ],
    [
      'not http(s), an additional interface has one',
      { url: 'REPLACE/a2a', additionalInterfaces: [rpc] },
      ['warning additionalInterfaces', 'warning url'],
    ],
    [
      'https',
      { url: 'https://127.0.0.1:4100/rpc' },
      ['warning url'],
      'a different origin from http://127.0.0.1:4100',
    ],
    ['http', { url: 'http://127.0.0.1:4100/other' }, 'silence'],
  ],
  protocolVersion: [
    [
      'a number',
      { protocolVersion: 0.3 },
      ['error protocolVersion'],
      'must be a string such as "0.3.0", not 0.3',
    ],
    ['no version', { protocolVersion: 'latest' }, ['error protocolVersion'], 'not "latest"'],
    ['empty', { protocolVersion: '' }, ['error protocolVersion']],
    ['missing', { protocolVersion: undefined }, ['warning protocolVersion'], 'the card is treated as 0.2'],
    ['0.3.0', { protocolVersion: '0.3.0' }, 'silence'],
    ['0.2.6', { protocolVersion: '0.2.6' }, 'silence'],
    ['0.3', { protocolVersion: '0.3' }, 'silence'],
  ],
  preferredTransport: [
    [
      'no string',
      { preferredTransport: 1 },
      ['error preferredTransport'],
      'preferredTransport must be a string, not 1',
    ],
    [
      'not JSON-RPC, none listed',
      { preferredTransport: 'HTTP+JSON' },
      ['error preferredTransport'],
      'preferredTransport is "HTTP+JSON", and no JSON-RPC interface is listed in additionalInterfaces',
    ],
    [
      'not JSON-RPC, others listed',
      { preferredTransport: 'GRPC', additionalInterfaces: [{ ...rpc, transport: 'GRPC' }, rest] },
      ['error preferredTransport'],
    ],
    [
      'not JSON-RPC, JSON-RPC listed',
      { url: rest.url, preferredTransport: 'HTTP+JSON', additionalInterfaces: [rest, rpc] },
      'silence',
    ],
    ['missing', { preferredTransport: undefined }, 'silence'],
    ['JSONRPC', { preferredTransport: 'JSONRPC' }, 'silence'],
  ],
  additionalInterfaces: [
    [
      'an object',
      { additionalInterfaces: rpc },
      ['error additionalInterfaces'],
      'must be a list, not an object',
    ],
    ['a string', { additionalInterfaces: 'x' }, ['error additionalInterfaces']],
    ['an empty list', { additionalInterfaces: [] }, 'silence'],
    ['a list', { additionalInterfaces: [rpc, rest] }, 'silence'],
    ['missing', { additionalInterfaces: undefined }, 'silence'],
  ],
  capabilities: [
    ['missing', { capabilities: undefined }, ['error capabilities'], 'capabilities is missing'],
    [
      'a list',
      { capabilities: ['chat'] },
      ['error capabilities'],
      'capabilities must be an object, not a list',
    ],
    ['empty', { capabilities: {} }, 'silence'],
    ...['streaming', 'pushNotifications', 'stateTransitionHistory'].flatMap((flag): Cell[] => [
      [
        `${flag} a text`,
        { capabilities: { [flag]: 'yes' } },
        [`warning capabilities.${flag}`],
        `capabilities.${flag} must be true or false, not "yes"`,
      ],
      [`${flag} true`, { capabilities: { [flag]: true } }, 'silence'],
      [`${flag} false`, { capabilities: { [flag]: false } }, 'silence'],
    ]),
  ],
  'defaultInputModes, defaultOutputModes': ['defaultInputModes', 'defaultOutputModes'].flatMap(
    (field): Cell[] => [
      [`${field} missing`, { [field]: undefined }, [`error ${field}`], `${field} is missing`],
      [`${field} empty`, { [field]: [] }, [`error ${field}`], `${field} is empty`],
      [
        `${field} a text`,
        { [field]: 'text/plain' },
        [`error ${field}`],
        'must be a list of strings, not "text/plain"',
      ],
      [`${field} with a number`, { [field]: ['text/plain', 3] }, [`error ${field}`], 'but [1] is 3'],
      [`${field} a list of strings`, { [field]: ['text/plain', 'application/json'] }, 'silence'],
    ],
  ),
  skills: [
    ['missing', { skills: undefined }, ['error skills'], 'skills is missing'],
    ['an object', { skills: { echo: 1 } }, ['error skills'], 'skills must be a list, not an object'],
    ['empty', { skills: [] }, ['warning skills'], 'skills is empty'],
  ],
  'each skill': [
    ['a text', { skills: ['echo'] }, ['error skills[0]'], 'skills[0] must be an object, not "echo"'],
    ...['id', 'name', 'description'].map((field): Cell => [
      `${field} missing`,
      { skills: [skill(), without(skill({ id: 'b' }), field)] },
      [`error skills[1].${field}`],
      `skills[1].${field} is missing`,
    ]),
    ['duplicate id', { skills: [skill(), skill()] }, ['error skills[1].id'], 'is also the id of skills[0]'],
    ['tags a text', { skills: [skill({ tags: 'demo' })] }, ['error skills[0].tags'], 'not "demo"'],
    ['tags with a number', { skills: [skill({ tags: ['a', 1] })] }, ['error skills[0].tags'], 'but [1] is 1'],
    [
      'no tags',
      { skills: [without(skill(), 'tags')] },
      ['warning skills[0].tags'],
      'skills[0].tags is missing',
    ],
    ['tags empty', { skills: [skill({ tags: [] })] }, ['warning skills[0].tags'], 'skills[0].tags is empty'],
    ...['examples', 'inputModes', 'outputModes'].flatMap((field): Cell[] => [
      [
        `${field} a text`,
        { skills: [skill({ [field]: 'text/plain' })] },
        [`warning skills[0].${field}`],
        `skills[0].${field} must be a list of strings`,
      ],
      [`${field} a list of strings`, { skills: [skill({ [field]: ['text/plain'] })] }, 'silence'],
    ]),
    ['complete', { skills: [skill(), skill({ id: 'b' })] }, 'silence'],
  ],
  provider: [
    [
      'no organization',
      { provider: { url: 'https://a.example' } },
      ['warning provider.organization'],
      'provider has no organization',
    ],
    ['an organization', { provider: { organization: 'A' } }, 'silence'],
    ['missing', { provider: undefined }, 'silence'],
  ],
  'documentationUrl, iconUrl': ['documentationUrl', 'iconUrl'].flatMap((field): Cell[] => [
    [
      `${field} relative`,
      { [field]: '/docs' },
      [`warning ${field}`],
      `${field} "/docs" must be an http(s) URL`,
    ],
    [`${field} a number`, { [field]: 1 }, [`warning ${field}`]],
    [`${field} https`, { [field]: 'https://a.example/x' }, 'silence'],
    [`${field} missing`, { [field]: undefined }, 'silence'],
  ]),
}

function marks(card: unknown, options = {}): string[] {
  const { findings } = checkAgentCard(card, { ...local, ...options })
  return findings
    .filter(({ level }) => level !== 'note')
    .map(({ level, path }) => `${level} ${path ?? ''}`.trim())
    .sort()
}

describe.each(Object.entries(cells))('the expect-a2a card table: %s', (_field, rows) => {
  test.each(rows)('%s', (_what, patch, expected, says) => {
    const card = patched(patch)
    const wanted = expected === 'silence' ? [] : [...expected].sort()
    expect(marks(card)).toEqual(wanted)
    const report = checkAgentCard(card, local)
    expect(report.scores.card).toBe(wanted.some((mark) => mark.startsWith('error')) ? 0 : 1)
    if (says !== undefined) expect(report.findings.map(({ message }) => message).join('\n')).toContain(says)
  })
})

test('0.1 cards are judged by the same table, with `authentication`', () => {
  const report = checkAgentCard(card01({ skills: [without(skill(), 'id')] }), local)
  expect(report.shape).toMatchObject({ kind: 'card', version: '0.1' })
  expect(report.errors.map(({ path }) => path)).toEqual(['skills[0].id'])
  expect(marks(card01())).toEqual(['warning protocolVersion'])
  expect(marks(card01({ authentication: {} }))).toEqual(['warning protocolVersion'])
  expect(marks(card01({ authentication: { type: 'bearer' } }))).toEqual([
    'warning authentication.schemes',
    'warning protocolVersion',
  ])
})

test('snake_case names are read, with one warning that the spec uses camelCase', () => {
  const { defaultInputModes, ...card } = card03()
  const report = checkAgentCard({ ...card, default_input_modes: defaultInputModes }, local)
  expect(report.errors).toEqual([])
  expect(report.warnings.map(({ id, message }) => [id, message])).toEqual([
    [
      'card/camel-case',
      'field names must be camelCase (the spec uses camelCase): default_input_modes → defaultInputModes',
    ],
  ])
})

test('bindings: a 0.x card without JSON-RPC passes when the user accepts HTTP+JSON', () => {
  const card = card03({ preferredTransport: 'HTTP+JSON' })
  expect(marks(card)).toEqual(['error preferredTransport'])
  expect(marks(card, { bindings: ['HTTP+JSON'] })).toEqual([])
  expect(marks(card, { bindings: ['JSONRPC', 'HTTP+JSON'] })).toEqual([])
  const { errors } = checkAgentCard(card03(), { bindings: ['HTTP+JSON'] })
  expect(errors[0]?.message).toContain('no HTTP+JSON interface is listed')
})
