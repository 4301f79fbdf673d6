import type { TranscriptArtifact, TranscriptEntry, TranscriptFile } from './types.ts'

const longestText = 8_000
const longestData = 2_000

/** A message as the other side sees it: the text, and in brackets what else was sent. Without ids, urls and times. */
export function shown(entry: TranscriptEntry): string {
  const who = entry.from === 'agent' ? 'the agent' : 'the user'
  const lines = entry.text.trim() === '' ? [] : [cut(entry.text, longestText)]
  const sent = (what: string): void => void lines.push(`[${who} sent: ${what}]`)
  for (const file of entry.files ?? []) sent(fileText(file))
  for (const data of entry.data ?? []) sent(`data ${dataText(data)}`)
  for (const artifact of entry.artifacts ?? []) {
    for (const what of artifactTexts(artifact, entry)) sent(what)
  }
  if (entry.reason !== undefined && !entry.text.includes(entry.reason)) {
    lines.push(`[${who} gave a reason: ${cut(entry.reason, longestData)}]`)
  }
  if (entry.error !== undefined) lines.push('[an error came instead of an answer]')
  return lines.length === 0 ? `[${who} sent nothing that can be read]` : lines.join('\n')
}

/** Leaves out what the answer repeats: an artifact's text is often the answer's text too. */
function artifactTexts(artifact: TranscriptArtifact, { text, files, data }: TranscriptEntry): string[] {
  const name = artifact.name === undefined ? 'a document' : `a document named "${artifact.name}"`
  const said = artifact.text !== undefined && !text.includes(artifact.text)
  return [
    ...(said ? [`${name}: ${cut(artifact.text ?? '', longestText)}`] : []),
    ...(artifact.data ?? [])
      .map(dataText)
      .filter((one) => !(data ?? []).map(dataText).includes(one))
      .map((one) => `data ${one}`),
    ...(artifact.files ?? []).map(fileText).filter((one) => !(files ?? []).map(fileText).includes(one)),
  ]
}

function fileText({ name, mediaType, bytes }: TranscriptFile): string {
  const about = [mediaType, bytes === undefined ? undefined : `${bytes} bytes`].filter(
    (one) => one !== undefined,
  )
  const file = name === undefined ? 'a file' : `a file named "${name}"`
  return about.length === 0 ? file : `${file} (${about.join(', ')})`
}

function dataText(data: unknown): string {
  try {
    return cut(JSON.stringify(data) ?? String(data), longestData)
  } catch {
    return 'that cannot be shown'
  }
}

/** Long texts lose their middle; a note says how many characters were left out. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  return `${text.slice(0, half)} [… ${text.length - 2 * half} characters left out …] ${text.slice(-half)}`
}

const marker = /<{3,}\s*\/?\s*(?:agent|conversation|end|transcript)\b[^<>\n]*>*/giu

/** A text between markers that its author cannot know; forged ones are replaced. */
export function fenced(text: string, name: 'AGENT' | 'CONVERSATION', nonce: string): string {
  const clean = text.replaceAll(marker, '[marker removed]')
  return `<<<${name} ${nonce}>>>\n${clean}\n<<<END ${nonce}>>>`
}
