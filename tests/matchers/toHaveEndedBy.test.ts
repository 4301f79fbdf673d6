import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { failureOf, misuse } from './support.ts'
import { brokenRun, heldRun } from './runs.ts'

test('passes for the reason, or for one of several', () => {
  expect(heldRun()).toHaveEndedBy('script_end')
  expect(heldRun({ endReason: 'goal' })).toHaveEndedBy(['gave_up', 'goal'])
  expect(heldRun()).not.toHaveEndedBy('loop')
  expect(brokenRun('error')).toHaveEndedBy('agent_error')
})

test('fails with the other reason and the conversation', async () => {
  expect(
    await failureOf(() => expect(heldRun({ endReason: 'max_turns' })).toHaveEndedBy(['goal', 'gave_up'])),
  ).toContain(`[failed] expect(run).toHaveEndedBy(["goal", "gave_up"])

Agent:    Helpdesk (http://127.0.0.1:<port>)
Expected: a conversation that ended by "goal" or "gave_up"
Received: a conversation that ended by "max_turns" after 2 turns   conversation/end-reason

Conversation
  ended after 2 of 2 turns: it reached maxTurns · <n> ms

Transcript
   1 user   I was charged twice
`)
})

test('under .not fails for that reason', async () => {
  expect(await failureOf(() => expect(heldRun()).not.toHaveEndedBy('script_end'))).toContain(
    'Expected: not a conversation that ended by "script_end"\nReceived: a conversation that ended by "script_end" after 2 turns',
  )
})

test.each([
  [
    'another word',
    ['satisfied'],
    'toHaveEndedBy(): `reason` must be "goal", "gave_up", "cannot_answer", "user_ended", "max_turns", "agent_ended", "agent_error", "loop", "deadline", "budget", "script_end", "stop_when", "invalid" or "model_error" or an array of these; received "satisfied".',
  ],
  [
    'nothing',
    [],
    'toHaveEndedBy(): `reason` must be "goal", "gave_up", "cannot_answer", "user_ended", "max_turns", "agent_ended", "agent_error", "loop", "deadline", "budget", "script_end", "stop_when", "invalid" or "model_error" or an array of these; received undefined.',
  ],
  [
    'an empty list',
    [[]],
    'toHaveEndedBy(): `reason` must be "goal", "gave_up", "cannot_answer", "user_ended", "max_turns", "agent_ended", "agent_error", "loop", "deadline", "budget", "script_end", "stop_when", "invalid" or "model_error" or an array of these; received [].',
  ],
])('misuse: %s', async (_, args, text) => {
  expect(await failureOf(() => misuse(expect(heldRun()).not, 'toHaveEndedBy')(...args))).toContain(text)
})
