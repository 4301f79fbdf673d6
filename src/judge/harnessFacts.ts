import type { EndReason, TranscriptEntry } from '../transcript/types.ts'
import { unmarked } from './fence.ts'
import type { JudgedConversation } from './types.ts'

const endings: Record<EndReason, string> = {
  goal: 'the user ended it and had what they wanted',
  gave_up: 'the user gave up',
  cannot_answer: 'the agent needed something that the user did not know',
  user_ended: 'the user had nothing more to say',
  max_turns: 'the limit of user messages was reached',
  agent_ended: 'the agent rejected or canceled the task',
  agent_error: 'the agent failed or gave an error',
  loop: 'both sides repeated themselves',
  deadline: 'the time for it was over, in the middle of it',
  budget: 'the budget for it was spent, in the middle of it',
  model_error: 'the test could not go on with it',
  script_end: 'all planned user messages had been sent',
  stop_when: 'a condition of the test was met',
  invalid: 'the test stopped it',
}

/**
 * What the test itself knows about a conversation, one line each. The agent wrote nothing of it (no ids, names or error messages), so it is
 * outside the fence.
 */
export function harnessFacts(conversation: JudgedConversation): string[] {
  return [
    `${conversation.turns} user ${conversation.turns === 1 ? 'message was' : 'messages were'} sent; at most ${conversation.maxTurns} were allowed`,
    `the conversation ended because ${endings[conversation.endReason]}`,
    ...conversation.entries.flatMap((entry) => factsOf(entry).map((fact) => `turn ${entry.turn}: ${fact}`)),
    ...conversation.facts.map(plain),
  ]
}

/** What the test knows about one answer. */
export function factsOf({ from, task, error }: TranscriptEntry): string[] {
  if (from !== 'agent') return []
  return [
    ...(task === undefined ? [] : [`task ${task.nth} is ${task.state}`]),
    ...(error === undefined ? [] : [`the agent gave an error instead of an answer (${plain(error.code)})`]),
  ]
}

/** One line, and no marker, whatever was put into it. */
function plain(text: string): string {
  return unmarked(text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')).slice(0, 300)
}
