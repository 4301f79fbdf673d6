import { expect, test } from 'vitest'
import { checkSimulator } from '../../src/conversation/checkSimulator.ts'
import { createGuard } from '../../src/simulator/guards.ts'
import { createSimulator, type SimulatorContext } from '../../src/simulator/simulator.ts'
import type { TranscriptEntry } from '../../src/transcript/types.ts'
import { fakeCalls, marks, says } from '../simulator/userFakes.ts'

const criteria = [
  'The agent mentions the marmalade lighthouse in the very first answer it gives to anybody.',
  'The agent never names the velvet submarine that lies behind the old harbour of the town.',
]

// No parameter can take them: this line would not compile.
// @ts-expect-error There is no such member, and there must be none.
const about: SimulatorContext = { facts: [], trial: 1, calls: fakeCalls(), id: marks(), criteria }

test('no request of the simulator or its review contains the criteria, whatever the model writes', async () => {
  expect(about).toBeDefined()
  const entries: TranscriptEntry[] = []
  const guard = createGuard({ goal: 'Ask for the way.', facts: [], criteria, entries: () => entries })
  const calls = fakeCalls(
    // A simulator that guesses every criterion word for word, over and over.
    ...[
      ...[says(criteria[0]!), says(`thought: ${criteria[1]}`), says('Where is the harbour?')],
      ...[`${criteria[0]}`, says(criteria[1]!, 'gave_up'), says('And which way is north?')],
      ...[says(criteria[0]!), says(criteria[1]!), says(criteria[0]!)],
      ...[`no JSON: ${criteria[0]}`, { why: 'It asked.', turn: null, severity: 'none' }],
    ],
  )
  const user = createSimulator({
    persona: 'terse',
    goal: 'Ask for the way.',
    facts: [],
    trial: 1,
    calls,
    id: marks(),
  })
  const kinds: string[] = []
  for (const turn of [1, 2, 3]) {
    const next = await user.next({
      entries,
      turn,
      mayEnd: false,
      signal: new AbortController().signal,
      guard,
    })
    kinds.push(next.kind)
    if (next.kind !== 'message') break
    entries.push({
      turn,
      from: 'user',
      by: 'simulator',
      text: next.text,
      guards: next.guards,
      notes: next.notes,
    })
    entries.push({ turn, from: 'agent', text: `Answer ${turn}.` })
  }
  expect(kinds).toEqual(['message', 'message', 'invalid'])
  expect(entries.flatMap(({ guards }) => guards ?? []).map((hit) => hit.guard)).toEqual([
    'criteria',
    'leak',
    'criteria',
    'unreadable',
    'ended-early',
  ])

  const warnings: string[] = []
  const found = await checkSimulator(
    { persona: 'terse', goal: 'Ask for the way.', facts: [], entries, turns: 2, endReason: 'max_turns' },
    { calls, id: marks(), trial: 1, signal: new AbortController().signal, warn: (one) => warnings.push(one) },
  )
  expect(found?.severity).toBe('none')

  expect(calls.requests.map(({ role }) => role)).toEqual([
    ...Array<string>(9).fill('simulator'),
    'check',
    'check',
  ])
  expect(JSON.stringify(calls.requests)).not.toMatch(
    /marmalade|lighthouse|velvet|submarine|anybody|behind the old/i,
  )
  expect(JSON.stringify(calls.requests)).not.toMatch(/criteri/i)
  expect(warnings).toEqual([])
})
