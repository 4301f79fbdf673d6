import type { EndReason } from './types.ts'

const all: Readonly<Record<EndReason, true>> = {
  goal: true,
  gave_up: true,
  cannot_answer: true,
  user_ended: true,
  max_turns: true,
  agent_ended: true,
  agent_error: true,
  loop: true,
  deadline: true,
  budget: true,
  script_end: true,
  stop_when: true,
  invalid: true,
  model_error: true,
}

/** Every reason for which a conversation can end. */
export const endReasons: readonly EndReason[] = Object.keys(all) as EndReason[]
