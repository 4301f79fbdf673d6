import type { EndReason, Transcript, TranscriptEntry, TranscriptFile } from './types.ts'

/** The last line if the simulated user ended the conversation without a message. */
export const userEnded = '[user ended the conversation]'

/**
 * The conversation as criteria and functions see it. The entries are shared, not copied. Without `endReason` the conversation is
 * still running.
 */
export function transcriptOf(entries: readonly TranscriptEntry[], endReason?: EndReason): Transcript {
  const agent = entries.filter(({ from }) => from === 'agent')
  const user = entries.filter(({ from }) => from === 'user')
  const lines = entries.map((entry) => `${entry.from}: ${shownEntry(entry)}`)
  if (endReason === 'user_ended') lines.push(`user: ${userEnded}`)
  return {
    entries: [...entries],
    turns: user.length,
    endReason,
    text: lines.join('\n'),
    agentText: textOf(agent),
    userText: textOf(user),
    lastAgentText: agent.at(-1)?.text ?? '',
    data: agent.flatMap(({ data = [] }) => data),
    files: agent.flatMap(({ files = [] }) => files),
    artifacts: agent.flatMap(({ artifacts = [] }) => artifacts),
    lastState: agent.at(-1)?.task?.state,
  }
}

/** A copy of JSON data, so that functions of the test cannot change the conversation. */
export function copyOf<T>(data: T): T {
  return JSON.parse(JSON.stringify(data)) as T
}

/** One entry in words: its text, and what else it has. */
function shownEntry({ text, data = [], files = [], error }: TranscriptEntry): string {
  const others = [
    ...data.map((one) => `[data: ${JSON.stringify(one)}]`),
    ...files.map((file) => `[file: ${shownFile(file)}]`),
    ...(error === undefined ? [] : [`[no answer: ${error.code}]`]),
  ]
  const words = [...(text === '' ? [] : [text]), ...others]
  return words.length === 0 ? '[nothing]' : words.join(' ')
}

function shownFile({ name, mediaType, bytes, url }: TranscriptFile): string {
  const size = bytes === undefined ? undefined : `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const about = [mediaType, size].filter((one) => one !== undefined).join(', ')
  const what = name ?? url ?? mediaType ?? 'without a name'
  return about === '' || what === about ? what : `${what} (${about})`
}

function textOf(entries: readonly TranscriptEntry[]): string {
  return entries
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n')
}
