import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCalls, type OpenCallsOptions } from '../../src/model/calls.ts'
import type {
  CallPlace,
  CassetteMode,
  Model,
  ModelAnswer,
  ModelCalls,
  ModelRequest,
} from '../../src/model/types.ts'
import { manualClock } from '../support/manualClock.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { request } from './request.ts'

/** A model that numbers its answers, so that all differ. */
export function live(
  id = 'gpt-x',
  answer: (nth: number) => Partial<ModelAnswer> = () => ({}),
): Model & { asked: number } {
  return {
    id,
    asked: 0,
    async generate() {
      const nth = ++this.asked
      return { text: `answer ${nth}`, usage: { inputTokens: 10 * nth, outputTokens: nth }, ...answer(nth) }
    },
  }
}

export interface Conversation {
  folder: string
  mode?: CassetteMode
  model?: Model
  options?: Partial<OpenCallsOptions>
}

export function open({ folder, mode, model = live(), options = {} }: Conversation): ModelCalls {
  return openCalls({
    simulator: { model },
    judge: { model },
    name: 'books a table',
    cassette: { folder, ...(mode !== undefined && { mode }) },
    deps: { clock: manualClock(), env: {} },
    ...options,
  })
}

export const at = (turn: number, attempt = 1, trial = 1): CallPlace => ({ trial, turn, attempt })

export function judge(criteria: string, changes: Partial<ModelRequest> = {}): ModelRequest {
  return request({
    role: 'judge',
    system: 'You judge.\nOnly what is written counts.',
    messages: [{ role: 'user', content: `Criteria\n${criteria}\n\nTranscript\nuser: hello` }],
    schema: { name: 'verdicts', definition: { type: 'object' } },
    temperature: 0,
    ...changes,
  })
}

export const say = (said: string, changes: Partial<ModelRequest> = {}): ModelRequest =>
  request({ system: 'You are the user.', messages: [{ role: 'user', content: said }], ...changes })

/** Two turns, and a verdict. */
export async function conversation(calls: ModelCalls, criteria = 'c1 polite'): Promise<ModelAnswer[]> {
  const answers = [
    await calls.ask(say('begin'), at(1)),
    await calls.ask(say('hello there'), at(2)),
    await calls.ask(judge(criteria), at(2)),
  ]
  await calls.close('passed')
  return answers
}

export const fileIn = (folder: string): string => join(folder, 'books-a-table.json')
export const read = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Record<string, unknown>

export async function recorded(): Promise<string> {
  const folder = temporaryFolder()
  await conversation(open({ folder, mode: 'record' }))
  return folder
}
