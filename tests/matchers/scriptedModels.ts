import type { CriterionVerdict } from '../../src/judge/types.ts'
import { scriptedModel, type ScriptedModel } from '../../src/model/scripted.ts'
import type { ModelRequest } from '../../src/model/types.ts'

/** A judge's verdict on one criterion. */
export interface Said {
  verdict: CriterionVerdict
  quote?: string
  turn?: number
  reason?: string
}

/** A judge that says the same in every vote; asked for some criteria only, it answers for those. */
export function judging(said: Readonly<Record<string, Said>>): ScriptedModel {
  return scriptedModel((request: ModelRequest) => {
    const asked = keysOf(request)
    return {
      verdicts: Object.fromEntries(asked.map((key) => [key, claim(said[key])])),
      injection: { found: false, turn: null },
    }
  })
}

function keysOf(request: ModelRequest): string[] {
  const { properties } = request.schema?.definition as {
    properties: { verdicts: { properties: Record<string, unknown> } }
  }
  return Object.keys(properties.verdicts.properties)
}

function claim({ verdict, quote, turn = 1, reason = 'So it says.' }: Said = { verdict: 'unknown' }): object {
  return { evidence: quote === undefined ? [] : [{ turn, quote }], reason, verdict }
}

/** A simulated user that says these, and is satisfied then. */
export function saying(...messages: string[]): ScriptedModel {
  let at = 0
  return scriptedModel((request: ModelRequest) => {
    if (request.role === 'check') return { severity: 'none', turn: null, why: 'It played its part.' }
    const message = messages[at++]
    return message === undefined
      ? { thought: 'That is all.', status: 'goal_reached', message: null }
      : { thought: 'Next.', status: 'continue', message }
  })
}
