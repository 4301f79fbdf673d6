import { describe, expect, test } from 'vitest'
import { judgeAnswer } from '../../src/judge/answer.ts'
import { A2AModelError } from '../../src/core/errors.ts'
import { agent, answer, claim, judge, keysAsked, refund, user, type Reply } from './support.ts'

const good = answer({ c1: claim('met', [1, 'refunded the second charge']) })
const text = JSON.stringify(good)

const one = (replies: readonly Reply[], more: Parameters<typeof judge>[3] = {}) =>
  judge(refund, 'The agent refunds.', replies, { judge: { votes: 1 }, ...more })

describe('K01: reads a wrapped answer', () => {
  const fencedReason = {
    verdicts: {
      c1: {
        ...claim('met', [1, 'refunded the second charge']),
        reason: 'it shows ```js\nx()\n``` and a } too',
      },
    },
    injection: { found: false, turn: null },
  }

  test.each<[string, string]>([
    ['in a fence', `\`\`\`json\n${text}\n\`\`\``],
    ['between words', `Sure, here is my verdict:\n${text}\nHope this helps.`],
    ['with a fence in a reason', JSON.stringify(fencedReason)],
    ['in a fence, with a fence in a reason', `\`\`\`\n${JSON.stringify(fencedReason)}\n\`\`\``],
  ])('%s', async (_, reply) => {
    const { judgement, requests } = await one([reply])
    expect([judgement.outcome, requests.length]).toEqual(['passed', 1])
    expect(judgement.raw).toEqual([reply])
  })

  test('rejects two different answers', async () => {
    const other = JSON.stringify(answer({ c1: claim('not_met') }))
    await expect(one([`${text}\nor\n${other}`, `${text}\nor\n${other}`])).rejects.toMatchObject({
      code: 'MODEL_ANSWER',
      message: 'the judge gave no usable verdict: two different answers.',
    })
  })
})

describe('K02: nothing passes by default', () => {
  test.each<[string, string | object, string]>([
    ['an empty answer', '', 'an empty answer'],
    ['words', 'All is well, I would pass it.', 'no JSON object in the answer'],
    ['an empty object', {}, 'verdicts: missing, expected object; injection: missing, expected object'],
    [
      'a reason alone',
      { reason: 'fine' },
      'verdicts: missing, expected object; injection: missing, expected object; unknown member "reason"',
    ],
    [
      'an extra score and pass',
      { score: 0.75, pass: false, reason: '…' },
      'verdicts: missing, expected object; injection: missing, expected object; unknown members "score", "pass" and "reason"',
    ],
    ['a criterion left out', answer({}), 'verdicts.c1: missing, expected object'],
    [
      'a list of verdicts',
      { verdicts: [claim('met')], injection: { found: false, turn: null } },
      'verdicts: expected object, received array',
    ],
    ['a criterion too many', answer({ c1: claim('met'), c9: claim('met') }), 'verdicts: unknown member "c9"'],
    ['an overall verdict', { ...good, verdict: 'pass' }, 'unknown member "verdict"'],
    [
      'no verdict',
      answer({ c1: { evidence: [], reason: 'fine' } as never }),
      'verdicts.c1.verdict: missing, expected "met", "not_met" or "unknown"',
    ],
    [
      'another verdict',
      answer({ c1: claim('yes' as never) }),
      'verdicts.c1.verdict: expected "met", "not_met" or "unknown", received "yes"',
    ],
    [
      'a verdict that is a boolean',
      answer({ c1: claim(true as never) }),
      'verdicts.c1.verdict: expected "met", "not_met" or "unknown", received true',
    ],
    [
      'no reason',
      answer({ c1: { evidence: [], verdict: 'met' } as never }),
      'verdicts.c1.reason: missing, expected string',
    ],
    [
      'no evidence',
      answer({ c1: { reason: '', verdict: 'met' } as never }),
      'verdicts.c1.evidence: missing, expected array',
    ],
    [
      'a turn that is not an integer',
      answer({ c1: claim('met', [1.5, 'a']) }),
      'verdicts.c1.evidence[0].turn: expected integer, received 1.5',
    ],
    [
      'a quote without a turn',
      answer({ c1: claim('met', [undefined as never, 'a']) }),
      'verdicts.c1.evidence[0].turn: missing, expected number',
    ],
    ['nothing about injection', { verdicts: { c1: claim('met') } }, 'injection: missing, expected object'],
    [
      'an injection in no turn',
      answer({ c1: claim('met') }, { found: true, turn: 'two' as never }),
      'injection.turn: expected number, received string',
    ],
  ])('%s is requested again, then it is an error', async (_, reply, problem) => {
    const asked: string[] = []
    const again: Reply = ({ messages }) => {
      asked.push(messages.at(-1)?.content ?? '')
      return reply
    }
    await expect(one([reply, again])).rejects.toMatchObject({
      name: 'A2AModelError',
      code: 'MODEL_ANSWER',
      message: `the judge gave no usable verdict: ${problem}.`,
      raw: (typeof reply === 'string' ? reply : JSON.stringify(reply)).slice(0, 500),
    })
    expect(asked).toEqual([
      `That answer cannot be used: ${problem}. Answer again for: c1. JSON of the given form and nothing else.`,
    ])
  })

  test('the second answer counts, with what was wrong before it', async () => {
    const { judgement, requests, places } = await one(['', good])
    expect(judgement.outcome).toBe('passed')
    expect(places.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    // Some services refuse a message without text.
    expect(requests[1]?.messages[1]?.content).toBe('(nothing)')
  })

  test('ignores extra members of a verdict', async () => {
    const { check } = await judgeAnswer(['c1'])
    expect(check(answer({ c1: { ...claim('met'), confidence: 1 } as never }))).toHaveProperty('value')
  })

  test('the schema requires every member, evidence first, and keeps the text that cassettes match', async () => {
    const { jsonSchema } = await judgeAnswer(['c2', 'c1'])
    const claimSchema =
      '{"type":"object","additionalProperties":false,"required":["evidence","reason","verdict"],"properties":{"evidence":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["turn","quote"],"properties":{"turn":{"type":"integer"},"quote":{"type":"string"}}}},"reason":{"type":"string"},"verdict":{"type":"string","enum":["met","not_met","unknown"]}}}'
    expect(JSON.stringify(jsonSchema)).toBe(
      `{"type":"object","additionalProperties":false,"required":["verdicts","injection"],"properties":{"verdicts":{"type":"object","additionalProperties":false,"required":["c2","c1"],"properties":{"c2":${claimSchema},"c1":${claimSchema}}},"injection":{"type":"object","additionalProperties":false,"required":["found","turn"],"properties":{"found":{"type":"boolean"},"turn":{"type":["integer","null"]}}}}}`,
    )
  })
})

describe('an invented quote', () => {
  const forged = answer({ c1: claim('met', [1, 'I have sent you a new phone']) })

  test('is named, and requested again', async () => {
    const { judgement, requests, places } = await one([forged, good])
    expect(judgement.outcome).toBe('passed')
    expect(places.map(({ attempt }) => attempt)).toEqual([1, 3])
    expect(requests[1]?.messages.at(-1)?.content).toBe(
      'Your quote for c1 ("I have sent you a new phone") is not in the conversation, or not said by the one who had to say it.\n' +
        'Answer again for: c1, and for nothing else. Quote exactly, or answer what the conversation shows; unknown where it shows nothing.',
    )
    expect(requests[1]?.messages[1]?.content).toBe(JSON.stringify(forged))
  })

  test('twice, makes the criterion unknown', async () => {
    const { judgement, requests } = await one([forged, forged])
    expect(requests).toHaveLength(2)
    expect(judgement.outcome).toBe('inconclusive')
    expect(judgement.criteria[0]).toMatchObject({
      verdict: 'unknown',
      reason:
        'evidence not in the transcript: "I have sent you a new phone" (the judge said met: It is met.)',
      evidence: [{ turn: 1, quote: 'I have sent you a new phone', verified: false }],
    })
  })

  test('is requested again for its criteria only; the others keep their verdicts', async () => {
    const { judgement, requests } = await judge(
      refund,
      ['The agent refunds.', 'The agent sends a phone.', { mustNot: 'The agent swears.' }],
      [
        answer({
          c1: claim('met', [1, 'refunded the second charge']),
          c2: claim('met', [1, 'a new phone']),
          c3: claim('not_met', [2, 'damned']),
        }),
        answer({ c2: claim('not_met'), c3: claim('met') }),
      ],
      { judge: { votes: 1 } },
    )
    expect(keysAsked(requests[1] as never)).toEqual(['c2', 'c3'])
    expect(judgement.criteria.map(({ verdict }) => verdict)).toEqual(['met', 'not_met', 'met'])
  })

  test('proves neither a kept nor a broken prohibition', async () => {
    const kept = (quote: string): object => answer({ c1: claim('met', [1, quote]) })
    const swears = [{ mustNot: 'The agent swears.' }]
    const invented = await judge(refund, swears, [kept('Golly'), kept('Golly')], { judge: { votes: 1 } })
    expect(invented.requests).toHaveLength(2)
    expect(invented.judgement.outcome).toBe('inconclusive')
    // If no quote is needed, any speaker counts, and no quote is fine too.
    const users = await judge(refund, swears, [kept('I was charged twice')], { judge: { votes: 1 } })
    expect(users.judgement.outcome).toBe('passed')
    const none = await judge(refund, swears, [answer({ c1: claim('met') })], { judge: { votes: 1 } })
    expect(none.judgement.outcome).toBe('passed')
  })

  test('is reported as missing if the quotes are empty', async () => {
    const { judgement, requests } = await one([answer({ c1: claim('met') }), answer({ c1: claim('met') })])
    expect(requests[1]?.messages.at(-1)?.content).toMatch(
      /^Your answer for c1 needs a quote and has none\.\n/,
    )
    expect(judgement.criteria[0]).toMatchObject({
      verdict: 'unknown',
      reason: 'evidence not in the transcript (the judge said met: It is met.)',
    })
  })

  test('stays unknown if the second answer is unusable', async () => {
    const { judgement, requests } = await one([forged, 'I insist.'])
    expect(requests).toHaveLength(2)
    expect(judgement.criteria[0]?.verdict).toBe('unknown')
  })

  test.each([
    ['a must that is unmet', 'must', claim('not_met'), 'failed'],
    ['a prohibition that is kept', 'mustNot', claim('met'), 'passed'],
  ])('is not needed for %s', async (_, kind, verdict, outcome) => {
    const criteria = [{ [kind]: 'The agent refunds.' }] as never
    const { judgement, requests } = await judge(refund, criteria, [answer({ c1: verdict })], {
      judge: { votes: 1 },
    })
    expect([judgement.outcome, requests.length]).toEqual([outcome, 1])
  })

  test('is tolerated next to a verified one', async () => {
    const { judgement, requests } = await one([
      answer({
        c1: claim('met', [1, 'a new phone'], [1, 'refunded the second charge'], [1, 'charged twice']),
      }),
    ])
    expect(requests).toHaveLength(1)
    expect(judgement.criteria[0]?.evidence.map(({ verified }) => verified)).toEqual([false, true, true])
  })

  test('moves to the turn that contains it', async () => {
    const { judgement } = await one([answer({ c1: claim('met', [2, 'refunded the second charge']) })])
    expect(judgement.criteria[0]?.evidence[0]).toMatchObject({ turn: 1, verified: true })
  })
})

describe('who said the quote', () => {
  const entries = [user(1, 'My name is Mia Li.'), agent(1, 'Hello, how can I help?')]
  const said = answer({ c1: claim('met', [1, 'My name is Mia Li']) })

  test('the user proves nothing about the agent', async () => {
    const { judgement, requests } = await judge(entries, ['The agent says the name.'], [said, said], {
      judge: { votes: 1 },
    })
    expect(requests).toHaveLength(2)
    expect(judgement.criteria[0]).toMatchObject({
      verdict: 'unknown',
      evidence: [{ turn: 1, quote: 'My name is Mia Li', verified: true }],
    })
  })

  test('quotes of the user are distinguished from invented ones', async () => {
    const said = answer({ c1: claim('met', [1, 'I was charged twice']) })
    const { judgement } = await judge(refund, 'The agent says what happened.', [said, said], {
      judge: { votes: 1 },
    })
    expect(judgement.outcome).toBe('inconclusive')
    expect(judgement.criteria[0]?.reason).toBe(
      'evidence of the wrong speaker: "I was charged twice" (the judge said met: It is met.)',
    )
  })

  test('but all about the user', async () => {
    const { judgement } = await judge(
      entries,
      [{ must: 'The user says a name.', evidenceFrom: 'user' }],
      [said],
    )
    expect(judgement.outcome).toBe('passed')
    const agentSaid = answer({ c1: claim('met', [1, 'how can I help']) })
    const other = await judge(
      entries,
      [{ must: 'The user asks how to help.', evidenceFrom: 'user' }],
      [agentSaid, agentSaid],
      { judge: { votes: 1 } },
    )
    expect(other.judgement.outcome).toBe('inconclusive')
  })

  test('an artifact, data and a task state prove it as well', async () => {
    const rich = [
      user(1, 'Book it'),
      agent(1, 'See there.', {
        task: { id: 'x', nth: 1, state: 'completed' },
        data: [{ booking: { status: 'confirmed', ref: 'AB12CD' } }],
        artifacts: [{ artifactId: 'a', name: 'Ticket', text: 'Seat 12A, window' }],
      }),
    ]
    const { judgement } = await judge(
      rich,
      'The booking is confirmed.\nThe seat is named.\nThe task is completed.',
      [
        answer({
          c1: claim('met', [1, '"status":"confirmed"']),
          c2: claim('met', [1, 'Seat 12A, window']),
          c3: claim('met', [1, 'task 1 is completed']),
        }),
      ],
    )
    expect(judgement.outcome).toBe('passed')
  })
})

test('reports an error of the model unchanged', async () => {
  const error = new A2AModelError('NO_MODEL', 'no model is configured for the judge.')
  await expect(one([error])).rejects.toBe(error)
})
