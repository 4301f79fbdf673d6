import type { Level } from '../../src/findings/types.ts'
import type { Fault, Json } from '../../src/testing/index.ts'
import type { FaultyAgent, StartAgent } from './faultyAgent.ts'
import { patch } from './baseCards.ts'
import { judged } from './discovery.ts'

/** A faulty card as a row; the fault may be written as members of the card. */
export type Row = [
  id: string,
  level: Level,
  start: StartAgent,
  name: string,
  message: string,
  fault: Fault | Json,
  more?: Pick<FaultyAgent, 'known' | 'options'>,
]

/** Makes faulty agents of rows, for the check of their cards. */
export function faultyCards(rows: Row[]): FaultyAgent[] {
  return rows.map(([finding, level, start, name, message, fault, more]) => ({
    finding,
    level,
    start,
    name,
    message,
    fault: isFault(fault) ? fault : patch(fault),
    check: judged,
    ...more,
  }))
}

function isFault(fault: Fault | Json): fault is Fault {
  return ['card', 'request', 'reply'].some((part) => typeof (fault as Json)[part] === 'function')
}
