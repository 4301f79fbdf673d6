import { A2AModelError } from '../../core/errors.ts'
import { redact } from '../../core/redact.ts'
import { roleNames } from '../retry.ts'
import type { CallPlace, CassetteMode, CassetteOptions, ModelAnswer, ModelRole } from '../types.ts'
import { foreignTest, loadTape, saveTape, type CassetteFile } from './file.ts'
import { writeTape, type Tape } from './format.ts'
import {
  differences,
  mapTexts,
  placeText,
  samePlace,
  type Difference,
  type Recording,
  type Speaker,
} from './recording.ts'

/** The cassette of one conversation. */
export interface Cassette {
  /** Whether calls of this role are played or recorded. */
  covers(role: Speaker): boolean
  /** The model that a role was recorded with. Throws A2AModelError `CASSETTE`. */
  modelOf(role: ModelRole): string | undefined
  /**
   * The recorded answer; undefined where the call must be made. Throws A2AModelError `CASSETTE_MISS` where none may be made, and
   * `CASSETTE` for a file that cannot be used.
   */
  play(call: Omit<Recording, 'answer'>): Recording['answer'] | undefined
  keep(recording: Recording): void
  /** Takes out what must not be written. */
  clean(text: string): string
  readonly warnings: readonly string[]
  /** Writes what was recorded. Throws A2AModelError `CASSETTE`. */
  close(outcome: string): Promise<void>
}

/** What a cassette is opened with. */
export interface OpenCassetteOptions {
  mode: Exclude<CassetteMode, 'off'>
  /** Whether the mode is an option of the call, which weighs more than `A2A_CASSETTES`. */
  byCall: boolean
  options: CassetteOptions
  file: CassetteFile
  secrets: () => readonly string[]
  redact?: ((text: string) => string) | undefined
}

const verdicts: ReadonlySet<string> = new Set(['passed', 'failed', 'inconclusive'])
const shownUnused = 5

/** Opens a cassette; nothing is read before it is asked for something. */
export function openCassette({
  mode,
  byCall,
  options,
  file,
  secrets,
  redact: ownRedact,
}: OpenCassetteOptions): Cassette {
  const { path } = file
  const warnings = new Set<string>()
  const made: Recording[] = []
  const used = new Set<Recording>()
  let missed = false
  let minded = false
  let tape: { on?: Tape | undefined } | undefined
  const judgeLive = options.judge === 'live' && mode !== 'record'

  function onTape(): Tape | undefined {
    // What is recorded anew may be broken.
    tape ??= mode === 'record' ? {} : { on: loadTape(path) }
    return tape.on
  }

  function covers(role: Speaker): boolean {
    if (role === 'agent') return options.agent === true
    return !(role === 'judge' && judgeLive)
  }

  function clean(text: string): string {
    let result = redact(text, secrets())
    for (const one of [ownRedact, options.redact]) if (one !== undefined) result = one(result)
    return result
  }

  /** Never two tests in one file. */
  function mindOthers(): void {
    if (minded) return
    if (file.clash !== undefined) {
      const message = `${file.clash} the same cassette, ${path}.`
      if (mode !== 'replay') throw clashError(message)
      warnings.add(message)
    }
    if (file.again && mode === 'record') {
      warnings.add(
        `${path} was recorded before in this run, in a conversation of the same name: that recording is replaced.`,
      )
    }
    const other = mode === 'replay' ? undefined : foreignTest(readableTape(path), file)
    if (other !== undefined) throw clashError(foreignText(path, other))
    minded = true
  }

  function unused(): Recording[] {
    return (onTape()?.recordings ?? []).filter((one) => covers(one.role) && !used.has(one))
  }

  function missError(call: Omit<Recording, 'answer'>): A2AModelError {
    missed = true
    const who = `the ${speakerName(call.role)}'s call (${placeText(call.place)})`
    const recorded = onTape()
    const near = recorded?.recordings.filter((one) => samePlace(one, call)) ?? []
    const closest = near.map((one) => differences(one, call)).toSorted((a, b) => a.length - b.length)[0]
    let why: string
    if (recorded === undefined) why = 'there is no such file'
    else if (closest === undefined) why = `nothing is recorded there${elsewhere(recorded, call)}`
    else if (closest.length === 0)
      why = 'its recording was played already: the call was made once more than recorded'
    else why = `what is asked has changed since: ${changes(closest)}`
    return new A2AModelError('CASSETTE_MISS', `no recording in ${path} for ${who}: ${why}.`, {
      fix: fix(call.role, closest),
    })
  }

  function fix(role: Speaker, closest: readonly Difference[] | undefined): string {
    const record = byCall
      ? 'Record it again: set the cassette mode of this call to "record", or to "refresh-misses" to keep what still fits.'
      : 'Record it again with A2A_CASSETTES=record, or with A2A_CASSETTES=refresh-misses to keep what still fits.'
    const conversationChanged = closest?.some(({ field }) => /message/.test(field)) ?? false
    return conversationChanged && role !== 'agent' && !covers('agent')
      ? `${record} Where the agent says something else each time, \`cassette.agent: true\` keeps its answers as well.`
      : record
  }

  return {
    covers,
    clean,
    modelOf: (role) => onTape()?.recordings.find((one) => one.role === role)?.model,
    play(call) {
      mindOthers()
      const recording = onTape()?.recordings.find(
        (one) => !used.has(one) && samePlace(one, call) && differences(one, call).length === 0,
      )
      if (recording !== undefined) {
        used.add(recording)
        return recording.answer
      }
      if (mode === 'replay') throw missError(call)
      return undefined
    },
    keep(recording) {
      const { role, place, answer } = recording
      const [text, cleaned] = 'heard' in answer ? cleanHeard(answer, clean) : cleanAnswer(answer, clean)
      if (text) {
        warnings.add(
          `a secret was taken out of an answer in ${path} (${speakerName(role)}, ${placeText(place)}): what is played will differ there.`,
        )
      }
      made.push({ ...recording, answer: cleaned })
    },
    get warnings() {
      return [...warnings]
    },
    async close(outcome) {
      const verdict = verdicts.has(outcome)
      const unusedNow = verdict && !missed && used.size + made.length > 0 ? unused() : []
      const rest = unusedNow.filter((one) => !replaced(one, made))
      if (rest.length > 0) {
        const [were, are] = rest.length === 1 ? ['was', 'is'] : ['were', 'are']
        const what = `${were} not used${mode === 'replay' ? '' : ` and ${are} taken out`}`
        warnings.add(`${count(rest.length, 'recording')} in ${path} ${what}: ${listed(rest)}.`)
      }
      if (mode === 'replay' || made.length + rest.length === 0) return
      const kept = (onTape()?.recordings ?? []).filter((one) => !rest.includes(one) && !replaced(one, made))
      const { test, testFile } = file
      const other = foreignTest(readableTape(path), file)
      if (other !== undefined) {
        warnings.add(`nothing was recorded: ${foreignText(path, other)}`)
        return
      }
      await saveTape(path, writeTape({ test, testFile, outcome, recordings: [...kept, ...made] }))
    },
  }

  function replaced(one: Recording, by: readonly Recording[]): boolean {
    return !used.has(one) && by.some((other) => samePlace(one, other))
  }
}

function clashError(message: string): A2AModelError {
  return new A2AModelError('CASSETTE', message, {
    fix: 'Give one of them another name: by its title, by the option `name`, or by `cassette.file`.',
  })
}

const foreignText = (path: string, other: string): string =>
  `the cassette ${path} belongs to a test of that name in ${other}.`

/** What is on disk, for whoever wants to write there. */
function readableTape(path: string): Tape | undefined {
  try {
    return loadTape(path)
  } catch {
    return undefined
  }
}

const speakerName = (role: Speaker): string => (role === 'agent' ? 'agent' : roleNames[role])

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`

function listed(recordings: readonly { role: Speaker; place: CallPlace }[]): string {
  const shown = recordings
    .slice(0, shownUnused)
    .map(({ role, place }) => `${speakerName(role)} in ${placeText(place)}`)
  return (
    shown.join('; ') +
    (recordings.length > shownUnused ? `; and ${recordings.length - shownUnused} more` : '')
  )
}

/** Where this role is recorded instead. */
function elsewhere(tape: Tape, { role }: { role: Speaker }): string {
  const same = tape.recordings.filter((one) => one.role === role)
  return same.length === 0
    ? `, and nothing at all for the ${speakerName(role)}`
    : `; there is ${listed(same)}`
}

function changes(all: readonly Difference[]): string {
  const shown = all.slice(0, 2).map(({ field, before, after }) => `${field} was ${before} and is ${after}`)
  const more = all.slice(2).map(({ field }) => field)
  return shown.join('; ') + (more.length > 0 ? `; and ${more.join(', ')}` : '')
}

function cleanAnswer(answer: ModelAnswer, clean: (text: string) => string): [changed: boolean, ModelAnswer] {
  const cleaned = mapTexts(answer, clean)
  return [JSON.stringify(cleaned) !== JSON.stringify(answer), cleaned]
}

function cleanHeard(
  { heard }: { heard: unknown },
  clean: (text: string) => string,
): [changed: boolean, { heard: unknown }] {
  const plain: unknown = JSON.parse(JSON.stringify(heard ?? null))
  const cleaned = mapTexts(plain, clean)
  return [JSON.stringify(cleaned) !== JSON.stringify(plain), { heard: cleaned }]
}
