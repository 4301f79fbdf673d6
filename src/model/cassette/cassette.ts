import { A2AModelError } from '../../core/errors.ts'
import { redact } from '../../core/redact.ts'
import type { CassetteMode, CassetteOptions, ModelAnswer, ModelRole } from '../types.ts'
import { foreignTest, loadTape, saveTape, type CassetteFile } from './file.ts'
import { writeTape, type Tape } from './format.ts'
import { listed, missError, speakerName } from './miss.ts'
import { differences, mapTexts, placeText, samePlace, type Recording, type Speaker } from './recording.ts'

/** What a cassette is opened with. */
export interface CassetteSettings {
  mode: Exclude<CassetteMode, 'off'>
  /** Whether the mode is an option of the call, which overrides `A2A_CASSETTES`. */
  byCall: boolean
  options: CassetteOptions
  file: CassetteFile
  secrets: () => readonly string[]
  redact?: ((text: string) => string) | undefined
}

const verdicts: ReadonlySet<string> = new Set(['passed', 'failed', 'inconclusive'])

/** The cassette of one conversation. Its file is read when it is first needed. */
export class Cassette {
  readonly #settings: CassetteSettings
  readonly #warnings = new Set<string>()
  readonly #made: Recording[] = []
  readonly #used = new Set<Recording>()
  #tape: Promise<Tape | undefined> | undefined
  #isOwned: Promise<void> | undefined
  #missed = false

  constructor(settings: CassetteSettings) {
    this.#settings = settings
  }

  /** As messages show it. */
  get path(): string {
    return this.#settings.file.path
  }

  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  /** Whether calls of this role are replayed or recorded. */
  covers(role: Speaker): boolean {
    const { mode, options } = this.#settings
    if (role === 'agent') return options.agent === true
    return !(role === 'judge' && options.judge === 'live' && mode !== 'record')
  }

  /** Removes what must not be written. */
  readonly clean = (text: string): string => {
    const { secrets, redact: ownRedact, options } = this.#settings
    let result = redact(text, secrets())
    for (const one of [ownRedact, options.redact]) if (one !== undefined) result = one(result)
    return result
  }

  /** The model that a role was recorded with. Throws A2AModelError `CASSETTE`. */
  async modelOf(role: ModelRole): Promise<string | undefined> {
    const tape = await this.#onTape()
    return tape?.recordings.find((one) => one.role === role)?.model
  }

  /**
   * The recorded answer; undefined if the call must be made. Throws A2AModelError `CASSETTE_MISS` if no call may be made, and
   * `CASSETTE` for a file that cannot be used.
   */
  async play(call: Omit<Recording, 'answer'>): Promise<Recording['answer'] | undefined> {
    await (this.#isOwned ??= this.#checkOwner())
    const tape = await this.#onTape()
    const recording = tape?.recordings.find(
      (one) => !this.#used.has(one) && samePlace(one, call) && differences(one, call).length === 0,
    )
    if (recording !== undefined) {
      this.#used.add(recording)
      return recording.answer
    }
    const { mode, byCall, file } = this.#settings
    if (mode !== 'replay') return undefined
    this.#missed = true
    throw missError(call, { tape, byCall, path: file.path, recordsAgent: this.covers('agent') })
  }

  keep(recording: Recording): void {
    const { role, place, answer } = recording
    const [changed, cleaned] = 'heard' in answer ? this.#cleanHeard(answer) : this.#cleanAnswer(answer)
    if (changed) {
      this.#warnings.add(
        `a secret was removed from an answer in ${this.path} (${speakerName(role)}, ${placeText(place)}): its replay differs there.`,
      )
    }
    this.#made.push({ ...recording, answer: cleaned })
  }

  /** Writes what was recorded. Throws A2AModelError `CASSETTE`. */
  async close(outcome: string): Promise<void> {
    const { mode, file } = this.#settings
    const { path, test, testFile } = file
    const isComplete = verdicts.has(outcome) && !this.#missed && this.#used.size + this.#made.length > 0
    const unused = isComplete ? await this.#unused() : []
    if (unused.length > 0) {
      const [were, are] = unused.length === 1 ? ['was', 'is'] : ['were', 'are']
      const what = `${were} not used${mode === 'replay' ? '' : ` and ${are} removed`}`
      this.#warnings.add(
        `${unused.length} recording${unused.length === 1 ? '' : 's'} in ${path} ${what}: ${listed(unused)}.`,
      )
    }
    if (mode === 'replay' || this.#made.length + unused.length === 0) return
    const tape = await this.#onTape()
    const kept = tape?.recordings.filter((one) => !unused.includes(one) && !this.#isReplaced(one)) ?? []
    const other = foreignTest(await readableTape(path), file)
    if (other !== undefined) {
      this.#warnings.add(`nothing was recorded: ${foreignText(path, other)}`)
      return
    }
    await saveTape(path, writeTape({ test, testFile, outcome, recordings: [...kept, ...this.#made] }))
  }

  /** Nothing if everything is recorded again: the old file may be broken. */
  #onTape(): Promise<Tape | undefined> {
    const { mode, file } = this.#settings
    return (this.#tape ??= mode === 'record' ? Promise.resolve(undefined) : loadTape(file.path))
  }

  /** Two tests never share a file. Throws A2AModelError `CASSETTE`. */
  async #checkOwner(): Promise<void> {
    const { mode, file } = this.#settings
    const { path, clash, again } = file
    if (clash !== undefined) {
      const message = `${clash} the same cassette, ${path}.`
      if (mode !== 'replay') throw clashError(message)
      this.#warnings.add(message)
    }
    if (again && mode === 'record') {
      this.#warnings.add(
        `${path} was already recorded in this run, in a conversation of the same name: that recording is replaced.`,
      )
    }
    const other = mode === 'replay' ? undefined : foreignTest(await readableTape(path), file)
    if (other !== undefined) throw clashError(foreignText(path, other))
  }

  async #unused(): Promise<Recording[]> {
    const tape = await this.#onTape()
    return (tape?.recordings ?? []).filter(
      (one) => this.covers(one.role) && !this.#used.has(one) && !this.#isReplaced(one),
    )
  }

  #isReplaced(one: Recording): boolean {
    return !this.#used.has(one) && this.#made.some((other) => samePlace(one, other))
  }

  #cleanAnswer(answer: ModelAnswer): [changed: boolean, ModelAnswer] {
    const cleaned = mapTexts(answer, this.clean)
    return [JSON.stringify(cleaned) !== JSON.stringify(answer), cleaned]
  }

  #cleanHeard({ heard }: { heard: unknown }): [changed: boolean, { heard: unknown }] {
    const plain: unknown = JSON.parse(JSON.stringify(heard ?? null))
    const cleaned = mapTexts(plain, this.clean)
    return [JSON.stringify(cleaned) !== JSON.stringify(plain), { heard: cleaned }]
  }
}

function clashError(message: string): A2AModelError {
  return new A2AModelError('CASSETTE', message, {
    fix: 'Give one of them another name: by its title, by the option `name`, or by `cassette.file`.',
  })
}

const foreignText = (path: string, other: string): string =>
  `the cassette ${path} belongs to a test of that name in ${other}.`

/** What is on disk before something is written there. */
function readableTape(path: string): Promise<Tape | undefined> {
  return loadTape(path).catch(() => undefined)
}
