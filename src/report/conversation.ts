import type { ConversationResult, TrialResult, TrialStatistics } from '../conversation/types.ts'
import type { ConversationRun, EndReason, GuardHit, TranscriptEntry } from '../transcript/types.ts'
import type { CriterionResult, CriterionVerdict, Judgement } from '../judge/types.ts'
import type { Usage, UsageByRole } from '../model/types.ts'

/** What a message tells of a conversation, as labelled blocks of text. */
export interface ConversationBlock {
  label: string
  lines: string[]
}

const marks: Record<CriterionVerdict, string> = { met: '✓', not_met: '✗', unknown: '?' }

const endings: Record<EndReason, string> = {
  goal: 'the user reached the goal',
  gave_up: 'the user gave up',
  cannot_answer: 'the agent asked for something that the user does not know',
  user_ended: 'the user had nothing more to say',
  max_turns: 'it reached maxTurns',
  agent_ended: 'the agent rejected or canceled the task',
  agent_error: 'the agent failed',
  loop: 'both sides repeated themselves',
  deadline: 'the deadline passed',
  budget: 'the budget was used up',
  script_end: 'the script ended',
  stop_when: 'stopWhen returned true',
  invalid: 'the simulated user broke',
  model_error: 'the model that plays the user gave no answer',
}

/** Criteria with their evidence, how the conversation went, and what was said: the quoted turns and the last ones at least. */
export function conversationBlocks(result: ConversationResult): ConversationBlock[] {
  const { shown } = result
  return [
    ...(shown.judgement === undefined ? [] : [criteriaBlock(shown.judgement)]),
    { label: conversationLabel(result), lines: courseLines(result) },
    transcriptBlock(shown.run, quotedTurns(shown)),
  ].filter(({ lines }) => lines.length > 0)
}

/** The same for a run that is looked at by itself. */
export function runBlocks(run: ConversationRun, judgement?: Judgement): ConversationBlock[] {
  return [
    ...(judgement === undefined ? [] : [criteriaBlock(judgement)]),
    { label: 'Conversation', lines: [endingLine(run, judgement), ...usageLines(run.usage)] },
    transcriptBlock(run, judgement === undefined ? [] : quoted(judgement)),
  ].filter(({ lines }) => lines.length > 0)
}

function criteriaBlock(judgement: Judgement): ConversationBlock {
  const { score, scoreMax, threshold, criteria } = judgement
  const most = scoreMax > score ? `, at most ${number(scoreMax)} if the unknown are met` : ''
  return {
    label: `Criteria   score ${number(score)}${most}; ${number(threshold)} required`,
    lines: criteriaLines(criteria),
  }
}

const mostCriteriaLines = 22

/** All criteria where they fit; else those that were met on one line each, and at last the worst ones only. */
function criteriaLines(criteria: readonly CriterionResult[]): string[] {
  const whole = criteria.map(criterionLines)
  const short = whole.map((lines, index) => (criteria[index]?.verdict === 'met' ? lines.slice(0, 1) : lines))
  const fitting = [whole, short].find((each) => each.flat().length <= mostCriteriaLines)
  if (fitting !== undefined) return fitting.flat()
  const worst = [...criteria.keys()].sort((a, b) => gravity(criteria[a]) - gravity(criteria[b]))
  const kept = new Set<number>()
  let used = 0
  for (const index of worst) {
    used += short[index]?.length ?? 0
    if (used > mostCriteriaLines && kept.size > 0) break
    kept.add(index)
  }
  const left = criteria.length - kept.size
  return [
    ...short.filter((_, index) => kept.has(index)).flat(),
    `… ${left} more ${left === 1 ? 'criterion' : 'criteria'}, in the file`,
  ]
}

function gravity(criterion: CriterionResult | undefined): number {
  return criterion === undefined || criterion.verdict === 'met' ? 2 : criterion.verdict === 'unknown' ? 1 : 0
}

function criterionLines(criterion: CriterionResult): string[] {
  const { key, id, kind, text, weight, required, verdict, reason, evidence, votes } = criterion
  const traits = [
    ...(kind === 'mustNot' ? ['must not'] : []),
    ...(kind === 'check' ? ['code'] : []),
    ...(required ? ['required'] : []),
    ...(weight === 1 ? [] : [`weight ${weight}`]),
  ]
  const name = id === key ? id : `${key} ${id}`
  const split = new Set(votes).size > 1 ? `   votes: ${votes.map(voteName).join(', ')}` : ''
  const head = `${marks[verdict]} ${name}  ${clipped(text, 200)}${traits.length > 0 ? ` (${traits.join(', ')})` : ''}${split}${idOf(criterion)}`
  const why = verdict === 'met' || reason === '' ? [] : [`    ${clipped(reason, 400)}`]
  const quotes = evidence
    .slice(0, 3)
    .map(
      ({ turn, quote, verified }) =>
        `    turn ${turn}: ${JSON.stringify(clipped(quote, 240))}${verified ? '' : '   not in the transcript'}`,
    )
  const none =
    kind !== 'check' && votes.length > 0 && verdict !== 'met' && !evidence.some(({ verified }) => verified)
      ? ['    no supporting quote in the transcript']
      : []
  return [head, ...why, ...quotes, ...none]
}

function idOf({ kind, verdict }: CriterionResult): string {
  if (verdict === 'met') return ''
  if (verdict === 'unknown') return '   criterion/undecided'
  return kind === 'mustNot' ? '   criterion/broken' : '   criterion/not-met'
}

function voteName(verdict: CriterionVerdict): string {
  return verdict === 'not_met' ? 'not met' : verdict
}

function conversationLabel({ trials, statistics }: ConversationResult): string {
  if (statistics === undefined) return 'Conversation'
  const at = trials.findIndex(({ outcome }) => outcome !== 'passed')
  return `Conversation   trial ${at < 0 ? trials.length : at + 1} of ${trials.length}`
}

function courseLines(result: ConversationResult): string[] {
  const { shown, statistics, usage, replay } = result
  const { run, judgement, check, file } = shown
  const played = (['simulator', 'judge', 'check', 'agent'] as const).filter((role) => replay[role] > 0)
  return [
    endingLine(run, judgement),
    ...(statistics === undefined ? oneTrialLines(result) : statisticsLines(statistics)),
    ...(check === undefined || check.severity === 'none'
      ? []
      : [
          `the simulated user ${check.severity === 'minor' ? 'slipped' : `${check.severity} the agent`}${check.turn === undefined ? '' : ` in turn ${check.turn}`}: ${check.why}`,
        ]),
    ...usageLines(usage),
    ...(played.length === 0
      ? []
      : [
          `replayed: ${played.map((role) => `${role} ${replay[role]}`).join(', ')}${replay.live === 0 ? '; no live calls' : `; ${replay.live} live`}`,
        ]),
    ...(file === undefined ? [] : [`transcript: ${file}   judge it again with judgeTranscript()`]),
  ]
}

function endingLine(run: ConversationRun, judgement: Judgement | undefined): string {
  const model = judgement?.model ?? run.models.judge
  const votes =
    judgement === undefined || judgement.votes === 0
      ? ''
      : `, ${judgement.votes} ${judgement.votes === 1 ? 'vote' : 'votes'}${
          judgement.agreement === undefined || judgement.votes === 1
            ? ''
            : `, ${judgement.agreement.agreeing} of ${judgement.agreement.of} verdicts agree`
        }`
  return [
    `ended after ${run.turns} of ${run.maxTurns} turns: ${endingOf(run)}`,
    duration(run.ms),
    ...(model === undefined || votes === '' ? [] : [`judge ${model}${votes}`]),
    ...(run.models.simulator === undefined ? [] : [`simulator ${run.models.simulator}`]),
  ].join(' · ')
}

function endingOf({ endReason, fault }: ConversationRun): string {
  const isSilence = endReason === 'agent_error' && fault?.outcome === 'error' && fault.finding === undefined
  return isSilence ? 'no answer came' : endings[endReason]
}

/** What one conversation that differs each time says of the next one: little. */
function oneTrialLines({ outcome, shown: { run } }: ConversationResult): string[] {
  if (!run.entries.some(({ by }) => by === 'simulator')) return []
  if (outcome !== 'passed' && outcome !== 'failed') return []
  const range = outcome === 'passed' ? '0.21 to 1' : '0 to 0.79'
  return [
    `one trial says little: conversations like this may pass at a rate of ${range} (95 %); see the option trials`,
  ]
}

/** Figures over several trials, for people. */
export function statisticsLines(statistics: TrialStatistics): string[] {
  const { n, passed, planned, needed, inconclusive, rerun, ci95, passHat, decidedEarly } = statistics
  const hats = Object.entries(passHat)
    .filter(([k]) => k !== '1')
    .slice(0, 3)
    .map(([k, value]) => `pass^${k} ${number(value)}`)
  const early = decidedEarly ? `decided after ${n} of ${planned}` : undefined
  return [
    [
      `${passed} of ${n} trials passed, ${needed} of ${planned} needed`,
      ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
      ...(rerun > 0 ? [`${rerun} held again`] : []),
      `95 % interval ${number(ci95[0])} to ${number(ci95[1])}${early === undefined ? '' : `, ${early}`}`,
      ...hats,
    ].join(' · '),
  ]
}

function usageLines({ simulator, judge, check, agent, unreported, usd }: UsageByRole): string[] {
  const roles: [string, Usage | undefined][] = [
    ['simulator', simulator],
    ['judge', judge],
    ['check', check],
    ['agent', agent],
  ]
  const told = roles.filter((row): row is [string, Usage] => row[1] !== undefined)
  if (told.length === 0 && unreported === 0) return []
  const figures = told.map(([role, { inputTokens, outputTokens }]) => `${role} ${inputTokens + outputTokens}`)
  return [
    [
      `tokens: ${figures.length === 0 ? 'not reported' : figures.join(', ')}`,
      ...(figures.length > 0 && unreported > 0
        ? [`${unreported} ${unreported === 1 ? 'call' : 'calls'} did not say`]
        : []),
      ...(usd === undefined ? [] : [`$${usd.toFixed(4)} by the price given`]),
    ].join(' · '),
  ]
}

const mostTranscriptLines = 22
const wordsShown = 500
const linesShown = 12
const attachmentsShown = 5

function transcriptBlock(run: ConversationRun, keep: readonly number[]): ConversationBlock {
  const { entries } = run
  const wanted = new Set<number>()
  let used = 0
  const want = (index: number): void => {
    const size = wanted.has(index) ? 0 : entryLines(entries[index] as TranscriptEntry).length
    // The last word is always there.
    if (used + size > mostTranscriptLines && wanted.size > 0) return
    used += size
    wanted.add(index)
  }
  if (entries.length > 0) want(entries.length - 1)
  for (const turn of keep) entries.forEach((entry, index) => entry.turn === turn && want(index))
  for (let index = entries.length - 1; index >= 0; index--) want(index)
  const lines: string[] = []
  let left = 0
  const gap = (): void => {
    if (left > 0) lines.push(`   … ${left} ${left === 1 ? 'message' : 'messages'} left out`)
    left = 0
  }
  entries.forEach((entry, index) => {
    if (!wanted.has(index)) {
      left += 1
      return
    }
    gap()
    lines.push(...entryLines(entry))
  })
  gap()
  lines.push(...guardLines(run.discarded))
  if (run.endReason === 'user_ended') lines.push('   [user ended the conversation]')
  return { label: 'Transcript', lines }
}

function entryLines(entry: TranscriptEntry): string[] {
  const { turn, from, text, task, error, guards = [], notes = [] } = entry
  const head = `${from === 'user' ? String(turn).padStart(2) : '  '} ${from.padEnd(6)} `
  const extras = [
    ...(task === undefined || task.state === 'completed' ? [] : [`task ${task.nth} ${task.state}`]),
    ...attachments(entry),
  ]
  const said = error === undefined ? shortened(text) : `(${clipped(error.message, wordsShown)})`
  const words = said === '' && extras.length === 0 ? '(no text)' : said
  const whole = [
    ...(words === '' ? [] : [words]),
    ...(extras.length > 0 ? [`(${extras.join('; ')})`] : []),
  ].join(' ')
  return [
    ...guardLines(guards),
    ...`${head}${whole}`
      .split('\n')
      .map((line, index) => (index === 0 ? line : `${' '.repeat(head.length)}${line}`)),
    ...notes.map((note) => `${' '.repeat(head.length)}(note: ${clipped(note, 200)})`),
  ]
}

function guardLines(guards: readonly GuardHit[] = []): string[] {
  return guards.map(
    ({ guard, why }) => `   (a simulated message was discarded, ${guard}: ${clipped(why, 160)})`,
  )
}

function attachments({ from, data = [], files = [], artifacts = [] }: TranscriptEntry): string[] {
  const named = artifacts.map(({ name, artifactId }) => JSON.stringify(clipped(name ?? artifactId, 80)))
  return [
    ...(named.length === 0 || from === 'user'
      ? []
      : [`artifact ${named.slice(0, attachmentsShown).join(', ')}`, ...more(named, 'artifact')]),
    ...(data.length === 0
      ? []
      : [`data ${clipped(JSON.stringify(data.length === 1 ? data[0] : data), 160)}`]),
    ...files
      .slice(0, attachmentsShown)
      .map(({ name, mediaType, url, bytes }) =>
        [
          'file',
          oneLine(name ?? url ?? ''),
          oneLine(mediaType ?? ''),
          bytes === undefined ? '' : `${bytes} bytes`,
        ]
          .filter((each) => each !== '')
          .join(' '),
      ),
    ...more(files, 'file'),
  ]
}

function more(all: readonly unknown[], what: string): string[] {
  const left = all.length - attachmentsShown
  return left <= 0 ? [] : [`${left} more ${what}${left === 1 ? '' : 's'}`]
}

function quotedTurns({ judgement }: TrialResult): number[] {
  return judgement === undefined ? [] : quoted(judgement)
}

/** Turns that speak for or against a criterion, those against it first. */
function quoted({ criteria }: Judgement): number[] {
  const order: Record<CriterionVerdict, number> = { not_met: 0, unknown: 1, met: 2 }
  return criteria
    .toSorted((a, b) => order[a.verdict] - order[b.verdict])
    .flatMap(({ evidence }) => evidence.filter(({ verified }) => verified).map(({ turn }) => turn))
}

/** `0.5`, `0.67`, `1` */
function number(value: number): string {
  return String(Math.round(value * 100) / 100)
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

function clipped(text: string, most: number): string {
  const trimmed = text.trim()
  return trimmed.length <= most ? trimmed : `${trimmed.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

function oneLine(text: string): string {
  return clipped(text, 80).replaceAll(/\s+/g, ' ')
}

/** A message, not endless in either direction. */
function shortened(text: string): string {
  const lines = clipped(text, wordsShown).split('\n')
  if (lines.length <= linesShown) return lines.join('\n')
  const left = text.trim().split('\n').length - linesShown
  return [...lines.slice(0, linesShown), `… ${left} more ${left === 1 ? 'line' : 'lines'}`].join('\n')
}
