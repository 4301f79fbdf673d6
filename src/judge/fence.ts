import type { TranscriptEntry, TranscriptFile } from '../transcript/types.ts'

/** Characters of one text that the judge sees; the middle of a longer text is left out, with a note. */
const longestText = 8000
/** Characters of one data part, as JSON. */
const longestData = 4000
const longestUrl = 300

/** What replaces a forged marker. */
const removed = '[marker removed]'

/**
 * The beginning of our markers, and what could be mistaken for it: other widths, spaces. No more than that, so that nothing can be
 * hidden from the judge in a marker.
 */
const forged =
  /[<＜﹤≪《]{3,}[\s\u200b-\u200f\u2060\ufeff]*\/?[\s\u200b-\u200f\u2060\ufeff]*(?:TRANSCRIPT|END)(?![a-z])/giu

/** A conversation between its markers. */
export interface Fenced {
  text: string
  /** Turns with a forged marker, which was replaced. */
  forgedIn: number[]
  /** What was left out of long texts, one sentence each. */
  elisions: string[]
}

/** The first and the last line of a fence. */
export function markers(nonce: string): { start: string; end: string } {
  return { start: `<<<TRANSCRIPT ${nonce}>>>`, end: `<<<END ${nonce}>>>` }
}

/** A text without anything that looks like one of our markers. */
export function unmarked(text: string): string {
  return text.replace(forged, removed)
}

/**
 * Puts a conversation between markers that nobody in it can know, one line of JSON per entry, so that nothing in it can change the structure.
 * Leaves out ids, times and durations.
 */
export function fence(entries: readonly TranscriptEntry[], nonce: string): Fenced {
  const forgedIn = new Set<number>()
  const elisions: string[] = []
  const lines = entries.map((entry) => {
    // Once more for the whole line: names of members may contain markers too.
    const line = unmarked(oneLine(shown(entry, elisions)))
    if (count(line) > count(JSON.stringify(entry))) forgedIn.add(entry.turn)
    return line
  })
  const { start, end } = markers(nonce)
  return { text: [start, ...lines, end].join('\n'), forgedIn: [...forgedIn], elisions }
}

function count(text: string): number {
  return text.split(removed).length - 1
}

function shown(entry: TranscriptEntry, elisions: string[]): Record<string, unknown> {
  const { turn, from, text, data, files, artifacts, reason, error } = entry
  const where = `turn ${turn}, ${from}`
  return {
    turn,
    from,
    text: cut(text, longestText, `the text of ${where}`, elisions),
    ...(data?.length ? { data: data.map((part) => dataOf(part, where, elisions)) } : {}),
    ...(files?.length ? { files: files.map(fileOf) } : {}),
    ...(artifacts?.length
      ? {
          artifacts: artifacts.map((artifact) => ({
            ...(artifact.name === undefined ? {} : { name: artifact.name }),
            // A reply often repeats the text of its artifacts; once is enough.
            ...(artifact.text === undefined || text.includes(artifact.text)
              ? {}
              : { text: cut(artifact.text, longestText, `an artifact of ${where}`, elisions) }),
            ...(artifact.data?.length
              ? { data: artifact.data.map((part) => dataOf(part, where, elisions)) }
              : {}),
            ...(artifact.files?.length ? { files: artifact.files.map(fileOf) } : {}),
          })),
        }
      : {}),
    ...(reason === undefined ? {} : { reason: cut(reason, longestText, `the reason of ${where}`, elisions) }),
    ...(error === undefined
      ? {}
      : { error: cut(error.message, longestText, `the error of ${where}`, elisions) }),
  }
}

function fileOf({ name, mediaType, bytes, url }: TranscriptFile): Record<string, unknown> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(url === undefined ? {} : { url: url.length > longestUrl ? `${url.slice(0, longestUrl)}…` : url }),
  }
}

/** Data as it is; if its JSON is long, the beginning and the end of it. */
function dataOf(part: unknown, where: string, elisions: string[]): unknown {
  const json = JSON.stringify(part) ?? 'null'
  return json.length > longestData ? cut(json, longestData, `a data part of ${where}`, elisions) : part
}

function cut(text: string, most: number, what: string, elisions: string[]): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  const left = text.length - 2 * half
  elisions.push(`${left} of ${text.length} characters of ${what} were not shown to the judge.`)
  return `${text.slice(0, half)} [… ${left} characters left out here by the test …] ${text.slice(-half)}`
}

/** JSON in one line for every reader: without characters that some treat as line breaks, or that reverse the text. */
function oneLine(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? unmarked(member) : member,
  ).replace(
    /[\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
