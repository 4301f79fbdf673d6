import { personaText } from './personas.ts'
import type { GuardHit, TranscriptEntry } from '../transcript/types.ts'
import { inventedValues } from './inventedValues.ts'
import { keyOf, keyOfSaid, plain, runsOf, wordsOf } from './normalizeText.ts'

/** The result of the guards for a message. */
export interface Guarded {
  /** With any of them, the message is not sent. */
  hits: GuardHit[]
  /** What a reader should know; the message is sent. */
  notes: string[]
}

export type Guard = (message: string) => Guarded

export interface GuardContext {
  persona?: string | undefined
  goal?: string | undefined
  facts: readonly string[]
  /** Texts that the simulated user must not know. They are only compared. */
  criteria: readonly string[]
  /** The conversation so far. */
  entries: () => readonly TranscriptEntry[]
}

/** Longest simulated message, in characters. */
const longest = 1_200
/** This many consecutive words are not a coincidence. */
const verbatim = 8
/** Answers up to this number of words may well occur twice: `yes`, `no idea`. */
const repeatable = 3

/** Words of the form and of the instructions, which no person says. */
const leaks: readonly RegExp[] = [
  /["'](?:thought|status|message)["']\s*:/giu,
  /^\s*(?:thought|message)\s*:|^\s*status\s*:\s*(?:continue|goal_reached|gave_up|cannot_answer)/gimu,
  /\b(?:goal_reached|gave_up|cannot_answer)\b/giu,
  /###\s*[A-Z][A-Z _-]*###/gu,
  /<\/?(?:think|thinking|thought|reasoning|scratchpad|analysis)>|<\|[\w-]+\|>/giu,
  /<<<\s*(?:agent|conversation|end)\b|\[marker removed\]/giu,
  // Not "as the user manual says", nor "logged in as the user admin".
  /(?<!\b(?:in|on|up|registered|known|running) )\bas the user\b(?!'s\b)(?!\s+(?:manual|guide|handbook|agreement|interface|name|id|account|base|experience|group|profile|role|data|table|list|settings?)s?\b)/giu,
  /\bsimulated\b|\b(?:user simulat(?:or|ion)|this simulation)\b/giu,
  /\btest scenarios?\b|\bsuccess criteri(?:a|on)\b|\bdeveloper instructions?\b/giu,
]

const ends = String.raw`(?=[^\p{L}]*(?:(?:today|now|further|heute|hoy|hoje|oggi|vandaag)[^\p{L}]*)?(?:[?!.？！。]|$))`

/** What an assistant says, not a user. */
const services: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:how|what) (?:can|may|could) i (?:help|assist)(?: you)?(?: with(?: that| this| your\b[^?.!]*)?)?${ends}`,
    'giu',
  ),
  /\bhow (?:can|may|could) i be of (?:help|assistance|service)\b/giu,
  /\bwhat (?:can|may) i do for you\b/giu,
  /\bis there anything else (?:that )?i (?:can|may|could) (?:help|assist|do for you)\b/giu,
  /\bis there anything else you(?:'d| would)? (?:like|need|want) (?:help|assistance)\b/giu,
  /\bi(?:'d| would) be (?:happy|glad) to (?:help|assist) you\b|\bi(?:'m| am) here to (?:help|assist)\b/giu,
  /\blet me know if you (?:need|have) (?:any |further |more )*(?:help|assistance|questions)\b/giu,
  /\bi(?:'m| am) (?:just |only )?an? (?:ai|virtual|digital) (?:assistant|model|language model)\b|\bi(?:'m| am) (?:just |only )?a (?:large )?language model\b/giu,
  /\bas an ai(?: (?:assistant|model|language model))?,? i\b/giu,
  new RegExp(String.raw`\bwie kann ich (?:ihnen|dir|euch) (?:heute )?(?:weiter)?helfen${ends}`, 'giu'),
  new RegExp(
    String.raw`(?:en qué|cómo) (?:puedo|le puedo|te puedo) ayudar(?:le|les|te|lo|la|os)?${ends}`,
    'giu',
  ),
  new RegExp(String.raw`(?:comment|en quoi) puis-je (?:vous |t')aider${ends}`, 'giu'),
  new RegExp(String.raw`\b(?:como|em que) posso (?:te |lhe )?ajudar(?:-lo|-la)?${ends}`, 'giu'),
  new RegExp(String.raw`\bcome posso (?:aiutar(?:la|ti|vi)|esserle utile)${ends}`, 'giu'),
  new RegExp(String.raw`\b(?:hoe|waarmee) kan ik (?:u|je|jou) (?:verder )?helpen${ends}`, 'giu'),
  /чем (?:я )?могу (?:вам |тебе )?помочь|w czym mogę pomóc|무엇을 도와드릴까요/giu,
  /有什么(?:我)?(?:可以|能)帮(?:助)?(?:您|你)|何かお手伝いできること|どのようなご用件/gu,
]

/** Checks simulated messages by code alone. It keeps no state and never throws. */
export function createGuard(context: GuardContext): Guard {
  const brief = [context.goal, context.persona, personaText(context.persona ?? ''), ...context.facts].filter(
    (text) => text !== undefined,
  )
  const secret = runsIn(context.criteria)
  const spelledOut = runsIn([context.goal ?? ''])
  const texts = new WeakMap<TranscriptEntry, string>()
  const wordsIn = (entry: TranscriptEntry): string => {
    const text = texts.get(entry) ?? textOf(entry)
    texts.set(entry, text)
    return text
  }
  return (message) => {
    const why = (guard: string, reason: string | undefined): GuardHit[] =>
      reason === undefined ? [] : [{ guard, why: reason, message }]
    if (isEmpty(message)) return { hits: why('empty', 'It has no text.'), notes: [] }

    const entries = context.entries()
    const authored = entries.filter(({ from, by }) => from === 'agent' || by !== 'simulator').map(wordsIn)
    const known = [...brief, ...authored]
    const all = [...brief, ...entries.map(wordsIn)]
    // A longer message is discarded anyway.
    const head = message.slice(0, 4 * longest)
    const words = wordsOf(head)
    const runs = runsOf(words, verbatim)
    const hits = [
      ...why('too-long', tooLong(message)),
      ...why('leak', leak(head, known)),
      ...why('assistant', service(head, brief)),
      ...why('criteria', criterion(runs, secret, all)),
      ...why('repeat', repeat(words, entries)),
    ]
    if (hits.length > 0) return { hits, notes: [] }
    const repeatsGoal = runs.some((run) => spelledOut.has(run))
    return { hits, notes: notesOn(message, repeatsGoal, all) }
  }
}

/** True for a text without a visible character. */
export function isEmpty(message: string): boolean {
  return message.replaceAll(/[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/gu, '') === ''
}

function tooLong(message: string): string | undefined {
  const { length } = Array.from(message)
  return length > longest
    ? `It has ${length} characters, more than the ${longest} of a chat message.`
    : undefined
}

function leak(message: string, known: readonly string[]): string | undefined {
  const sign = firstSign(message, leaks, known)
  return sign === undefined
    ? undefined
    : `It says "${sign}", which comes from the simulator's instructions; a person would not say it.`
}

/** The agent's own words do not count as known: a simulator in the wrong role repeats its "How can I help you?". */
function service(message: string, brief: readonly string[]): string | undefined {
  const sign = firstSign(message, services, brief)
  return sign === undefined
    ? undefined
    : `It says "${sign}" and so speaks like an assistant, not like the user.`
}

/** All runs of words in some texts that are too long to be a coincidence. */
function runsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => runsOf(wordsOf(text), verbatim)))
}

function criterion(
  runs: readonly string[],
  secret: ReadonlySet<string>,
  known: readonly string[],
): string | undefined {
  const common = runs.filter((run) => secret.has(run))
  if (common.length === 0) return undefined
  // What the goal says, or somebody said before, is known without the criteria.
  const open = known.map((text) => ` ${keyOf(text)} `)
  return common.some((run) => !open.some((text) => text.includes(` ${run} `)))
    ? `It repeats ${verbatim} or more consecutive words of a success criterion.`
    : undefined
}

function repeat(words: readonly string[], entries: readonly TranscriptEntry[]): string | undefined {
  if (words.length <= repeatable) return undefined
  const key = words.join(' ')
  const same = entries.filter((entry) => entry.from === 'user' && keyOfSaid(entry) === key)
  // Answers of the agent are long, so they are compared only if necessary.
  if (same.length === 0) return undefined
  const answers = entries.filter(({ from }) => from === 'agent')
  const last = questionOf(answers.at(-1))
  const earlier = same.find(
    (entry) =>
      // Asked the same again, the user may answer the same again.
      last === '' || questionOf(answers.findLast(({ turn }) => turn < entry.turn)) !== last,
  )
  return earlier === undefined ? undefined : `It repeats the user's own message of turn ${earlier.turn}.`
}

/** The beginning of a very long answer is enough, and faster to compare. */
function questionOf(answer: TranscriptEntry | undefined): string {
  if (answer === undefined) return ''
  return answer.text.length > 4_000 ? keyOf(answer.text.slice(0, 4_000)) : keyOfSaid(answer)
}

function notesOn(message: string, repeatsGoal: boolean, known: readonly string[]): string[] {
  return [
    ...(repeatsGoal ? [`repeats ${verbatim} or more consecutive words of the goal`] : []),
    ...inventedValues(message, known).map(
      ({ what, value }) =>
        `the ${what} "${value}" is not in the facts, the goal, the persona or the conversation`,
    ),
  ]
}

/** The first sign in a message that is not known from elsewhere. */
function firstSign(message: string, signs: readonly RegExp[], known: readonly string[]): string | undefined {
  const text = plain(message)
  let open: string[] | undefined
  for (const sign of signs) {
    for (const [found] of text.matchAll(sign)) {
      open ??= known.map(dense)
      const needle = dense(found)
      if (!open.some((one) => one.includes(needle))) return found.trim()
    }
  }
  return undefined
}

const dense = (text: string): string => plain(text).toLowerCase().replaceAll(/\s/gu, '')

/** All text of an entry that its reader may repeat. */
function textOf(entry: TranscriptEntry): string {
  const artifacts = entry.artifacts ?? []
  const files = [...(entry.files ?? []), ...artifacts.flatMap((artifact) => artifact.files ?? [])]
  return [
    entry.text,
    entry.reason,
    ...artifacts.flatMap(({ name, text, data }) => [name, text, ...(data ?? []).map(json)]),
    ...(entry.data ?? []).map(json),
    ...files.map(({ name }) => name),
  ]
    .filter((text) => text !== undefined)
    .join('\n')
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
