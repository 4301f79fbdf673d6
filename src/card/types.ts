import type { Finding, Level } from '../findings/types.ts'
import type { AgentInterface, Version } from '../protocol/model.ts'
import type { A2AError } from '../core/errors.ts'
import type { Exchange } from '../http/types.ts'
import type { Reading } from './normalise.ts'

/** Which version's rules judge a card. */
export type CardVersion = Version

/** What a JSON document at a card's path turned out to be. */
export type CardShape =
  | { kind: 'card'; version: CardVersion; why: string }
  /** Signs of several versions: only the user can say which rules apply. */
  | { kind: 'ambiguous'; signs: string[]; why: string }
  /** Another format at the same path. `looksLike` completes "looks like …". */
  | { kind: 'not-a2a'; looksLike: string }

/** A card after reading: nulls gone, names in camelCase, `$case` leaks undone. The rules check this, never the wire. */
export type CardObject = Record<string, unknown>

/** Where a card came from, for the rules about addresses and serving. Everything is absent for a bare card object. */
export interface CardContext {
  /** What the user typed. */
  typedUrl?: string
  /** Where the card was fetched from. */
  cardUrl?: string
  /** Media type and headers of the card's response. */
  response?: { mediaType: string; headers: Record<string, string> }
  /** We served the subject ourselves: the addresses in its card name where it will be deployed, and are not compared with ours. */
  served?: boolean
  /** Origins to which the user allows credentials to be sent. */
  trustedOrigins?: readonly string[]
}

/** What a rule may know besides the card. */
export interface RuleContext {
  version: CardVersion
  /** What reading the card had to forgive. */
  reading: Reading
  /** See `CardContext`. */
  served?: boolean
  trustedOrigins?: readonly string[]
  /** The document as parsed. */
  raw: CardObject
  /** Where the card was fetched from; absent for a card object. */
  cardUrl?: string
  /** What the user typed; absent for a card object. */
  typedUrl?: string
  /** Media type and headers of the card's response; absent for a card object. */
  response?: { mediaType: string; headers: Record<string, string> }
  /** Bindings that count as callable for a 0.x card; JSONRPC unless the user says otherwise. */
  bindings: readonly string[]
}

/** Reports one breach. The level comes from the rule; `level` overrides it for this one breach. */
export type Report = (
  path: string | undefined,
  message: string,
  more?: { fix?: string; level?: Level },
) => void

/** One statement about cards, as data. */
export interface Rule {
  /** `card/kebab-case`, equal to the file's name. */
  id: string
  /** Its level in each version; a version that is not listed does not have the rule. */
  levels: Partial<Record<CardVersion, Level>>
  /** One sentence for `docs/rules.md`: what holds when nothing is reported. */
  summary: string
  /** How to fix a breach, unless the breach itself says more. */
  fix: string
  /** What it rests on, for each version if they differ. */
  source: string | Partial<Record<CardVersion, string>>
  check(card: CardObject, report: Report, context: RuleContext): void
}

/** How a card is judged. All are optional. Source: docs/rules.md for the ids of the rules. */
export interface CardOptions {
  /** Levels by rule id: `{'card/skill-tags': 'off'}`. */
  rules?: Record<string, Level | 'off'>
  /** From which level on the check fails. Default `error`. */
  failOn?: 'error' | 'warning' | 'never'
  /** Judge by the rules of this version, whatever the card looks like. */
  version?: CardVersion
  /** Bindings that count as callable for a 0.x card. Default `['JSONRPC']` (expect-a2a endpoint rule). */
  bindings?: string[]
}

/** What checking one card gave. */
export interface CardReport {
  shape: CardShape
  /** Worst first. */
  findings: Finding[]
  errors: Finding[]
  warnings: Finding[]
  /** `card`: 1 for a card without errors, 0 otherwise. */
  scores: { card: 0 | 1 }
  /** How many rules were applied. */
  rulesApplied: number
  /** The card as read; absent if the document is not a card. */
  card?: CardObject
  /** The ways to call the agent that the card offers, in the order in which they should be tried. */
  interfaces: AgentInterface[]
}

/** One location that discovery tried. */
export interface CardAttempt {
  url: string
  /** What it answered, as one short phrase: `404 text/html`, `connection refused`. */
  outcome: string
  /** Set when the answer was a JSON object and so became the card. */
  found: boolean
  /** Absent when no response came. */
  status?: number
  exchange?: Exchange
  /** Why nothing came, or why reading stopped. */
  error?: A2AError
}

/** Where a card was found, or why not. */
export interface Discovery {
  attempts: CardAttempt[]
  /** The document, when one was found. */
  found?: { url: string; json: CardObject; mediaType: string; headers: Record<string, string> }
  /** What discovery itself noticed: legacy path, wrong media type. */
  findings: Finding[]
}
