import { describe, expect, test } from 'vitest'
import { judge, printDemo, type DemoRecord, type DemoTest } from '../../scripts/demo-report.mjs'

const record: DemoRecord = {
  agent: 'Desk (http://127.0.0.1:1)',
  matcher: 'toReply',
  negated: false,
  outcome: 'passed',
  findings: [],
}
const healthy: DemoTest = {
  file: 'helpdesk.spec.ts',
  title: 'it answers',
  state: 'passed',
  messages: [],
  records: [record],
}
const conversation = (over: Partial<NonNullable<DemoRecord['conversation']>> = {}): DemoRecord => ({
  ...record,
  matcher: 'toPassConversation',
  conversation: { criteria: [], models: {}, replay: { live: 0 }, ...over },
})
const broken: DemoTest = {
  ...healthy,
  file: 'broken-agent/broken-agent.spec.ts',
  state: 'failed',
  messages: ['[failed] …'],
  records: [{ ...record, outcome: 'failed', findings: [{ id: 'card/url', level: 'error' }] }],
}
const vague: DemoTest = {
  ...broken,
  file: 'broken-agent/vague-agent.spec.ts',
  records: [
    {
      ...conversation({ criteria: [{ id: 'timeline', kind: 'check', verdict: 'not_met' }] }),
      outcome: 'failed',
      findings: [{ id: 'criterion/not-met', level: 'error' }],
    },
  ],
}
const asIs = [healthy, broken, vague]
const reasonsOf = (tests: DemoTest[]): string[] => judge({ tests, troubles: [] }).reasons

function lastLine(tests: DemoTest[], endpoint?: string): string {
  const run = { tests, seconds: 1.23, ...(endpoint !== undefined && { endpoint }) }
  const text = printDemo(run, judge({ tests, troubles: [] }), { colour: false })
  return text.trim().split('\n').at(-1) ?? ''
}

describe('the verdict', () => {
  test('is green when each broken agent fails for its own reason', () => {
    expect(reasonsOf(asIs)).toEqual([])
  })

  test.each(asIs.slice(1))('is red when $file is missing', ({ file }) => {
    expect(reasonsOf(asIs.filter((one) => one.file !== file))).toEqual([`${file} did not run.`])
  })

  test.each(asIs.slice(1))('is red when $file passes, for that reason only', (one) => {
    const fixed = asIs.map((each) => (each === one ? { ...one, state: 'passed' } : each))
    expect(reasonsOf(fixed)).toEqual([
      `${one.file} › it answers: passed, but this agent is broken on purpose and must fail.`,
    ])
  })

  test('is red when a healthy agent fails, for that reason only', () => {
    expect(reasonsOf([{ ...healthy, state: 'failed' }, broken, vague])).toEqual([
      'helpdesk.spec.ts › it answers: failed, but this agent is healthy.',
    ])
  })

  test('is red when a broken agent fails for another reason', () => {
    const findings = [{ id: 'card/description', level: 'error' }]
    const other = { ...broken, records: [{ ...record, outcome: 'failed', findings }] }
    expect(reasonsOf([healthy, other, vague])).toEqual([
      `${broken.file} › it answers: failed, but not with card/url; it found card/description.`,
    ])
  })

  test('is red when another criterion is not met', () => {
    const other = conversation({
      criteria: [
        { id: 'timeline', kind: 'check', verdict: 'met' },
        { id: 'confirms', kind: 'check', verdict: 'not_met' },
      ],
    })
    expect(reasonsOf([healthy, broken, { ...vague, records: [{ ...other, outcome: 'failed' }] }])).toEqual([
      'broken-agent/vague-agent.spec.ts › it answers: failed, but not with criterion/not-met timeline; it found criterion/not-met confirms.',
    ])
  })

  test('accepts a skipped test only with a reason, and never a skipped broken agent', () => {
    const skipped = { ...healthy, title: 'it waits', state: 'skipped', records: [] }
    expect(reasonsOf([...asIs, skipped])).toEqual([
      'helpdesk.spec.ts › it waits: skipped, but this agent is healthy.',
    ])
    expect(reasonsOf([...asIs, { ...skipped, note: 'no key' }])).toEqual([])
    expect(reasonsOf([healthy, broken, { ...vague, state: 'skipped', note: 'no key' }])).toEqual([
      'broken-agent/vague-agent.spec.ts › it answers: skipped, but this agent is broken on purpose and must fail.',
    ])
  })
})

describe('the last line', () => {
  const asked = {
    ...healthy,
    records: [conversation({ models: { simulator: 'm1', judge: 'm2' }, replay: { live: 2 } })],
  }

  test('counts what was skipped', () => {
    const skipped = { ...healthy, state: 'skipped', note: 'no key', records: [] }
    expect(lastLine([...asIs, skipped])).toBe(
      '✓ 1 agents, 3 checks, 2 failed as expected, 1 test skipped, 1.2 s. No API key needed; nothing left this machine.',
    )
    expect(lastLine([...asIs, skipped, skipped])).toContain(', 2 tests skipped, ')
  })

  test.each([
    ['https://api.openai.com/v1', 'Asked m1 and m2 at api.openai.com; nothing else left this machine.'],
    ['http://127.0.0.1:8080/v1', 'Asked m1 and m2 at 127.0.0.1:8080; nothing left this machine.'],
    ['http://localhost/v1', 'Asked m1 and m2 at localhost; nothing left this machine.'],
    ['http://127.0.0.1.example.com/v1', 'Asked m1 and m2 at 127.0.0.1.example.com; nothing else left'],
  ])('says where models were asked: %s', (endpoint, text) => {
    expect(lastLine([...asIs, asked], endpoint)).toContain(text)
  })

  test('does not report replayed model answers as model calls', () => {
    const played = { ...healthy, records: [conversation({ models: { judge: 'm2' } })] }
    expect(lastLine([...asIs, played], 'https://api.openai.com/v1')).toContain(
      'No model was asked, nothing left this machine.',
    )
  })
})
