import type { Level } from '../../src/core/finding.ts'
import type { Fault, Json } from '../../src/testing/index.ts'
import type { Animal, Home } from './faultyAgent.ts'
import { patch } from './cardHomes.ts'
import { judged } from './discovery.ts'

/** One animal as a row: its id, level, home, name, message and fault, given as members of the card where that will do. */
export type Row = [
  id: string,
  level: Level,
  home: Home,
  name: string,
  says: string,
  fault: Fault | Json,
  more?: Pick<Animal, 'known' | 'options'>,
]

/** Makes animals of rows, for the check of the card. */
export function animals(rows: Row[]): Animal[] {
  return rows.map(([finding, level, home, name, says, fault, more]) => ({
    finding,
    level,
    home,
    name,
    says,
    fault: isFault(fault) ? fault : patch(fault),
    check: judged,
    ...more,
  }))
}

function isFault(fault: Fault | Json): fault is Fault {
  return ['card', 'request', 'reply'].some((part) => typeof (fault as Json)[part] === 'function')
}
