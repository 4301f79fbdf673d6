import { describe, expect, test } from 'vitest'
import { A2AConnectionError, A2AError, A2AReplyError } from '../../src/core/errors.ts'
import { formatError, formatVerdict } from '../../src/report/format.ts'
import type { Finding } from '../../src/findings/types.ts'
import type { Verdict } from '../../src/checks/verdict.ts'
import { exchange } from './exchange.ts'

const verdict = (over: Partial<Verdict> = {}): Verdict => ({
  outcome: 'failed',
  agent: 'Echo Desk (http://127.0.0.1:4100)',
  expected: 'an agent card without errors',
  received: 'a card that breaks 1 rule of A2A 0.3',
  findings: [],
  exchanges: [],
  secrets: [],
  ...over,
})

const skillId: Finding = {
  id: 'card/skill-id',
  level: 'error',
  path: 'skills[0].id',
  message: 'must be a string that is not empty, but is ""',
  fix: 'Give each skill a unique id.',
  source: 'A2A 0.3 §5.5.4',
}
const legacy: Finding = { id: 'card/legacy-path', level: 'warning', message: 'found at the path of 0.2' }
const noted: Finding = {
  id: 'wire/state-spelling',
  level: 'note',
  path: 'result.status.state',
  message: 'read "COMPLETED"',
}

describe('a verdict', () => {
  test('names outcome, agent, expectation, findings worst first, locations and exchanges', () => {
    const found = exchange({
      method: 'GET',
      url: 'http://127.0.0.1:4100/.well-known/agent.json',
      requestBody: undefined as never,
    })
    const text = formatVerdict(
      verdict({
        findings: [noted, legacy, skillId],
        attempts: [
          {
            url: 'http://127.0.0.1:4100/.well-known/agent-card.json',
            outcome: '404 text/html',
            found: false,
          },
          { url: found.url, outcome: '200 application/json', found: true, exchange: found },
        ],
        exchanges: [found, exchange()],
        excerpts: [{ label: 'Text of the reply', text: 'Hello\nthere' }],
      }),
      { matcher: 'toHaveValidAgentCard' },
    )
    expect(text).toMatchInlineSnapshot(`
      "[failed] expect(agent).toHaveValidAgentCard()

      Agent:    Echo Desk (http://127.0.0.1:4100)
      Expected: an agent card without errors
      Received: a card that breaks 1 rule of A2A 0.3

        ✗ skills[0].id  must be a string that is not empty, but is ""   card/skill-id  A2A 0.3 §5.5.4
            Give each skill a unique id.
        ! found at the path of 0.2   card/legacy-path
        · result.status.state  read "COMPLETED"   wire/state-spelling

      Text of the reply
        Hello
        there

      Card locations tried
        http://127.0.0.1:4100/.well-known/agent-card.json  404 text/html
        http://127.0.0.1:4100/.well-known/agent.json       200 application/json  ← used

      Exchanges
        POST http://127.0.0.1:4100/rpc → 200 application/json 52 bytes 14 ms
          received {"jsonrpc":"2.0","id":1,"result":{"kind":"message"}}

        curl http://127.0.0.1:4100/rpc -H 'content-type: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}'"
    `)
  })

  test('under .not, and after .resolves, says what is true and what was not wanted', () => {
    const text = formatVerdict(
      verdict({ outcome: 'passed', received: 'a card that keeps all rules of A2A 1.0' }),
      {
        matcher: 'toHaveValidAgentCard',
        args: '{ failOn: "warning" }',
        isNot: true,
        promise: 'resolves',
      },
    )
    expect(text).toMatchInlineSnapshot(`
      "[failed] expect(agent).resolves.not.toHaveValidAgentCard({ failOn: "warning" })

      Agent:    Echo Desk (http://127.0.0.1:4100)
      Expected: not an agent card without errors
      Received: a card that keeps all rules of A2A 1.0"
    `)
  })

  test('that cannot be given keeps its own outcome, and its fix', () => {
    const text = formatVerdict(
      verdict({
        outcome: 'inconclusive',
        received: 'signs of 0.3 and of 1.0',
        fix: "Give version: '0.3' or '1.0'.",
      }),
      { matcher: 'toHaveValidAgentCard', subject: 'card' },
    )
    expect(text).toMatchInlineSnapshot(`
      "[inconclusive] expect(card).toHaveValidAgentCard()

      Agent:    Echo Desk (http://127.0.0.1:4100)
      Expected: an agent card without errors
      Received: signs of 0.3 and of 1.0
      Fix:      Give version: '0.3' or '1.0'."
    `)
  })

  test('shows at most 20 findings and the last 5 exchanges, and says how many more there are', () => {
    const findings = Array.from({ length: 33 }, (_, i) => ({ ...skillId, path: `skills[${i}].id` }))
    const exchanges = Array.from({ length: 9 }, (_, i) => exchange({ url: `http://127.0.0.1:4100/${i}` }))
    const text = formatVerdict(verdict({ findings, exchanges }), { matcher: 'toReply' })
    expect(text).toContain('  … and 13 more')
    expect(text).toContain('skills[19].id')
    expect(text).not.toContain('skills[20].id')
    expect(text).toContain('  … 4 earlier')
    expect(text).toContain('POST http://127.0.0.1:4100/4 →')
    expect(text).not.toContain('POST http://127.0.0.1:4100/3 →')
    expect(text.split('curl ').length).toBe(2)
  })

  test('colours through the runner only, and does without', () => {
    const utils = {
      RECEIVED_COLOR: (text: string) => `<r>${text}</r>`,
      EXPECTED_COLOR: (text: string) => `<e>${text}</e>`,
    }
    const text = formatVerdict(verdict({ received: 'two\nlines' }), {
      matcher: 'toReply',
      args: '"hi"',
      utils,
    })
    expect(text).toBe(
      [
        '[failed] expect(<r>agent</r>).toReply("hi")',
        '',
        'Agent:    Echo Desk (http://127.0.0.1:4100)',
        'Expected: <e>an agent card without errors</e>',
        'Received: <r>two</r>',
        '          <r>lines</r>',
      ].join('\n'),
    )
  })

  test('shows what went wrong on the wire: withheld headers, redirects, no response', () => {
    const text = formatVerdict(
      verdict({
        exchanges: [
          exchange({
            withheld: ['authorization'],
            redirects: ['http://127.0.0.1:4100/old'],
            status: undefined as never,
            responseHeaders: undefined as never,
            responseBody: undefined as never,
            responseBytes: undefined as never,
            error: new A2AConnectionError('TIMEOUT', 'no response headers within 2000 ms'),
          }),
        ],
      }),
      { matcher: 'toReply' },
    )
    expect(text).toContain('  POST http://127.0.0.1:4100/rpc → no response 14 ms (TIMEOUT)')
    expect(text).toContain('    redirected from http://127.0.0.1:4100/old')
    expect(text).toContain('    not sent to this origin: authorization (option trustedOrigins')
  })

  test('never prints base64, nor escape sequences of an agent', () => {
    const bytes = Buffer.alloc(1_048_576, 7).toString('base64')
    const responseBody = JSON.stringify({
      result: {
        parts: [{ kind: 'file', file: { mimeType: 'image/png', bytes } }, { text: '\u001b[31mred' }],
      },
    })
    const text = formatVerdict(verdict({ exchanges: [exchange({ responseBody })] }), { matcher: 'toReply' })
    expect(text).toContain('"bytes":"<1048576 bytes image/png>"')
    expect(text).toContain('\\u001b[31mred')
    expect(text).not.toContain('BwcH')
    // The log keeps 64 KiB, so a large body is not JSON any more.
    const cut = formatVerdict(
      verdict({ exchanges: [exchange({ responseBody: responseBody.slice(0, 65_536) })] }),
      {
        matcher: 'toReply',
      },
    )
    expect(cut).toMatch(/"bytes":"<more than \d+ bytes image\/png>/)
    expect(cut.length).toBeLessThan(2000)
  })

  test('cuts long bodies and says how much is missing', () => {
    const responseBody = JSON.stringify({ text: 'word '.repeat(2000) })
    const text = formatVerdict(verdict({ exchanges: [exchange({ responseBody })] }), { matcher: 'toReply' })
    expect(text).toContain('… (9,411 more characters)')
  })
})

describe('an error', () => {
  test('has the same layout', () => {
    const error = new A2AConnectionError(
      'UNREACHABLE',
      'cannot connect to 127.0.0.1:9: connection refused (ECONNREFUSED)',
      {
        fix: 'Start the agent first.',
      },
    )
    expect(
      formatError(error, { matcher: 'toReply', args: '"hi"', isNot: true }, { agent: 'http://127.0.0.1:9' }),
    ).toMatchInlineSnapshot(`
        "[error] expect(agent).not.toReply("hi")

        Agent: http://127.0.0.1:9
        Error: cannot connect to 127.0.0.1:9: connection refused (ECONNREFUSED)
        Fix:   Start the agent first."
      `)
  })

  test('that is the fault of the agent fails it', () => {
    const error = new A2AReplyError('NOT_JSON', 'the agent answered HTML where JSON was due')
    expect(
      formatError(error, { matcher: 'toReply' }, { outcome: 'failed', expected: 'a reply', agent: 'Desk' }),
    ).toMatchInlineSnapshot(`
        "[failed] expect(agent).toReply()

        Agent:    Desk
        Expected: a reply
        Received: the agent answered HTML where JSON was due   http/not-json"
      `)
  })

  test('without a text still has one', () => {
    expect(formatError(new A2AError('TIMEOUT', ''), { matcher: 'toReply' })).toBe(
      '[error] expect(agent).toReply()\n\nError: A2AError TIMEOUT, without a text',
    )
  })
})
