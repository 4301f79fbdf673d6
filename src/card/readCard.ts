import type { AgentInterface } from '../protocol/model.ts'
import { classifyCard } from './classify.ts'
import { readInterfaces } from './interfaces.ts'
import { looksLike } from './looksLike.ts'
import { normalise, type Reading } from './normalise.ts'
import type { CardContext, CardObject, CardOptions, CardShape } from './types.ts'
import { isObject } from './values.ts'

/** A document at a card's address, read but not judged: what it is, and how the agent can be called. */
export interface ReadCard {
  shape: CardShape
  /** Absent if the document is not a card. */
  reading?: Reading
  card?: CardObject
  interfaces: AgentInterface[]
}

/** Reads an agent card without applying a rule to it. Pure. */
export function readCard(
  document: unknown,
  options: Pick<CardOptions, 'version'> & Pick<CardContext, 'cardUrl'>,
): ReadCard {
  if (!isObject(document)) {
    return { shape: { kind: 'not-a2a', looksLike: looksLike(document) }, interfaces: [] }
  }
  const reading = normalise(document)
  const { card } = reading
  const shape: CardShape =
    options.version === undefined
      ? classifyCard(card, document)
      : { kind: 'card', version: options.version, why: `the option version: '${options.version}'` }
  if (shape.kind === 'not-a2a') return { shape, interfaces: [] }
  return { shape, reading, card, interfaces: readInterfaces(card, shape, options) }
}
