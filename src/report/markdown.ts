import type { ConversationResult } from '../conversation/types.ts'
import { cut, printable } from './body.ts'
import { conversationBlocks } from './conversation.ts'

const longest = 60_000

/** A conversation on one line: `failed · score 0.5 · 4 turns · .a2a-conversations/refund.1.json`. Has no figure that differs from run to run. */
export function conversationLine({ outcome, shown, statistics }: ConversationResult): string {
  const { run, judgement, file } = shown
  return [
    outcome,
    ...(judgement === undefined ? [] : [`score ${Math.round(judgement.score * 100) / 100}`]),
    ...(statistics === undefined ? [] : [`${statistics.passed} of ${statistics.n} trials`]),
    `${run.turns} ${run.turns === 1 ? 'turn' : 'turns'}`,
    ...(file === undefined ? [] : [file]),
  ].join(' · ')
}

/** A conversation as Markdown, in which nothing that an agent said can become markup. */
export function conversationMarkdown(result: ConversationResult): string {
  const text = conversationBlocks(result)
    .map(({ label, lines }) => `### ${label}\n\n${fenced(printable(lines.join('\n')))}`)
    .join('\n\n')
  return cut(text, { lines: Infinity, chars: longest })
}

/** A code block whose fence is longer than any run of backticks in it. */
function fenced(text: string): string {
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${fence}text\n${text}\n${fence}`
}
