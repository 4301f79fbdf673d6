import { A2AModelError } from '../../core/errors.ts'
import { roleNames } from '../retry.ts'
import type { CallPlace } from '../types.ts'
import type { Tape } from './format.ts'
import {
  differences,
  placeText,
  samePlace,
  type Difference,
  type Recording,
  type Speaker,
} from './recording.ts'

/** How messages name a speaker. */
export const speakerName = (role: Speaker): string => (role === 'agent' ? 'agent' : roleNames[role])

/** What a miss is explained by. */
interface MissContext {
  tape: Tape | undefined
  path: string
  /** Whether the mode is an option of the call. */
  byCall: boolean
  recordsAgent: boolean
}

/** The error for a call that is not on the tape: what is there instead, and how to record it. */
export function missError(call: Omit<Recording, 'answer'>, context: MissContext): A2AModelError {
  const { tape, path } = context
  const closest = tape?.recordings
    .filter((one) => samePlace(one, call))
    .map((one) => differences(one, call))
    .toSorted((a, b) => a.length - b.length)[0]
  return new A2AModelError(
    'CASSETTE_MISS',
    `no recording in ${path} for the ${speakerName(call.role)}'s call (${placeText(call.place)}): ${reason(call, tape, closest)}.`,
    { fix: fix(call.role, closest, context) },
  )
}

function reason(
  { role }: Omit<Recording, 'answer'>,
  tape: Tape | undefined,
  closest: readonly Difference[] | undefined,
): string {
  if (tape === undefined) return 'the file does not exist'
  if (closest === undefined) return notRecorded(tape, role)
  return closest.length === 0
    ? 'its recording was already replayed, and the call was made again'
    : `the request has changed since: ${changes(closest)}`
}

function notRecorded({ recordings }: Tape, role: Speaker): string {
  const same = recordings.filter((one) => one.role === role)
  return same.length === 0
    ? `the ${speakerName(role)} was never recorded`
    : `it was not recorded; what was: ${listed(same)}`
}

function fix(
  role: Speaker,
  closest: readonly Difference[] | undefined,
  { byCall, recordsAgent }: MissContext,
): string {
  const record = byCall
    ? 'Record it again: set the cassette mode of this call to "record", or to "refresh-misses" to keep what still fits.'
    : 'Record it again with A2A_CASSETTES=record, or with A2A_CASSETTES=refresh-misses to keep what still fits.'
  const conversationChanged = closest?.some(({ field }) => /message/.test(field)) ?? false
  return conversationChanged && role !== 'agent' && !recordsAgent
    ? `${record} If the agent's answers vary, \`cassette.agent: true\` records them as well.`
    : record
}

function changes(all: readonly Difference[]): string {
  const shown = all
    .slice(0, 2)
    .map(({ field, before, after }) => `${field} was ${before} and is now ${after}`)
  const more = all.slice(2).map(({ field }) => field)
  return shown.join('; ') + (more.length > 0 ? `; ${more.join(', ')} changed too` : '')
}

const mostListed = 5

/** Who was recorded, and where. */
export function listed(recordings: readonly { role: Speaker; place: CallPlace }[]): string {
  const shown = recordings
    .slice(0, mostListed)
    .map(({ role, place }) => `${speakerName(role)} in ${placeText(place)}`)
  const more = recordings.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
