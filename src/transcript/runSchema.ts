import type { z } from 'zod'
import type { Z } from '../core/document.ts'
import { taskStates } from '../protocol/model.ts'
import { endReasons } from './endReasons.ts'
import type { ConversationRun } from './types.ts'

/** A run as it is in a file; written by hand, it may have only the entries. */
export type SavedRun = Pick<ConversationRun, 'entries'> & Partial<Omit<ConversationRun, 'entries'>>

/** The schema of a run. Unknown members are kept: another version may have written them. */
export function runSchema(z: Z): z.ZodType<SavedRun> {
  const usage = z.looseObject({ inputTokens: z.number(), outputTokens: z.number() })
  const count = z.number()
  return z.looseObject({
    isA2AConversation: z.literal(true).exactOptional(),
    schemaVersion: z.literal(1).exactOptional(),
    name: z.string().exactOptional(),
    agent: z.string().exactOptional(),
    persona: z.string().exactOptional(),
    goal: z.string().exactOptional(),
    facts: z.array(z.string()).exactOptional(),
    entries: z.array(entrySchema(z)),
    turns: z.int().exactOptional(),
    maxTurns: z.int().exactOptional(),
    endReason: z.enum(endReasons).exactOptional(),
    fault: faultSchema(z).exactOptional(),
    discarded: z.array(guardHitSchema(z)).exactOptional(),
    models: z
      .looseObject({ simulator: z.string().exactOptional(), judge: z.string().exactOptional() })
      .exactOptional(),
    promptVersions: z
      .looseObject({ simulator: z.string().exactOptional(), judge: z.string().exactOptional() })
      .exactOptional(),
    usage: z
      .looseObject({
        simulator: usage.exactOptional(),
        judge: usage.exactOptional(),
        check: usage.exactOptional(),
        agent: usage.exactOptional(),
        unreported: z.number(),
        usd: z.number().exactOptional(),
      })
      .exactOptional(),
    replay: z
      .looseObject({ simulator: count, judge: count, check: count, agent: count, live: count })
      .exactOptional(),
    findings: z.array(findingSchema(z)).exactOptional(),
    warnings: z.array(z.string()).exactOptional(),
    ms: z.number().exactOptional(),
  })
}

function entrySchema(z: Z) {
  const file = z.looseObject({
    name: z.string().exactOptional(),
    mediaType: z.string().exactOptional(),
    bytes: z.number().exactOptional(),
    url: z.string().exactOptional(),
  })
  const artifact = z.looseObject({
    artifactId: z.string(),
    name: z.string().exactOptional(),
    text: z.string().exactOptional(),
    data: z.array(z.unknown()).exactOptional(),
    files: z.array(file).exactOptional(),
  })
  return z.looseObject({
    turn: z
      .int()
      .refine(
        (turn) => turn >= 1,
        'must be at least 1: turn n is the n-th message of the user and its answer',
      ),
    from: z.enum(['user', 'agent']),
    text: z.string(),
    by: z.enum(['opening', 'script', 'simulator']).exactOptional(),
    data: z.array(z.unknown()).exactOptional(),
    files: z.array(file).exactOptional(),
    artifacts: z.array(artifact).exactOptional(),
    task: z.looseObject({ id: z.string(), nth: z.number(), state: z.enum(taskStates) }).exactOptional(),
    contextId: z.string().exactOptional(),
    reason: z.string().exactOptional(),
    error: z.looseObject({ code: z.string(), message: z.string() }).exactOptional(),
    ms: z.number().exactOptional(),
    guards: z.array(guardHitSchema(z)).exactOptional(),
    notes: z.array(z.string()).exactOptional(),
  })
}

function guardHitSchema(z: Z) {
  return z.looseObject({ guard: z.string(), why: z.string(), message: z.string() })
}

function faultSchema(z: Z) {
  return z
    .looseObject({
      outcome: z.enum(['failed', 'invalid', 'error']),
      code: z.string(),
      message: z.string(),
      ...fix(z),
      finding: z.string().exactOptional(),
      unanswered: z.boolean().exactOptional(),
      raw: z.string().exactOptional(),
    })
    .transform(withFix)
}

function findingSchema(z: Z) {
  return z
    .looseObject({
      id: z.string(),
      level: z.enum(['error', 'warning', 'note']),
      message: z.string(),
      path: z.string().exactOptional(),
      ...fix(z),
      source: z.string().exactOptional(),
    })
    .transform(withFix)
}

/** Before its first release, expect-a2a wrote `mend`. */
const fix = (z: Z) => ({ fix: z.string().exactOptional(), mend: z.string().exactOptional() })

function withFix<T extends { mend?: string }>(value: T): T {
  return { ...(value.mend !== undefined && { fix: value.mend }), ...value }
}
