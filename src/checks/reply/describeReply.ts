import type { Reply } from '../../client/types.ts'
import { isInterrupted, isTerminal } from '../../protocol/model.ts'
import { count, listed, quote } from '../phrases.ts'

const textShown = 120
const excerptShown = 4000

/** Describes a reply in one phrase: `task t1 completed with the text "All set."`, `task t1 ended in state failed: quota used up`. */
export function describeReply(reply: Reply): string {
  if (reply.kind === 'message') return `a Message ${withContent(reply)}`
  const task = `task ${reply.taskId ?? '(without id)'}`
  const { state = 'unknown' } = reply
  if (reply.unsettled) {
    const { ms, polls } = reply.wait
    // The finding of the wait may say more: since when nothing has changed.
    const said = reply.findings.find(({ id }) => id === 'wire/unsettled')?.message
    return said ?? `${task} still ${state} after ${ms} ms and ${count(polls, 'poll')}`
  }
  if (isInterrupted(state)) return `${task} is waiting in state ${state} ${withContent(reply)}`
  if (state === 'completed') return `${task} completed ${withContent(reply)}`
  if (!isTerminal(state)) return `${task} is in state ${state}`
  const reason = reply.reason === undefined ? ' (no reason given)' : `: ${reply.reason}`
  return `${task} ended in state ${state}${reason}`
}

/** The whole text of a reply as an excerpt, if the phrase had to shorten it. */
export function textExcerpt({ text }: Reply): { label: string; text: string }[] {
  if (text.length <= textShown && !text.includes('\n')) return []
  const isTruncated = text.length > excerptShown
  return [{ label: 'Text of the reply', text: isTruncated ? `${text.slice(0, excerptShown)}…` : text }]
}

/** True if the reply has any text. */
export function hasText(reply: Reply): boolean {
  return reply.text.trim() !== ''
}

function withContent(reply: Reply): string {
  const other = [
    ...(reply.data.length > 0 ? [count(reply.data.length, 'data part')] : []),
    ...(reply.files.length > 0 ? [count(reply.files.length, 'file')] : []),
  ]
  if (hasText(reply)) return `with ${listed([`the text ${quote(reply.text, textShown)}`, ...other])}`
  return other.length === 0 ? 'without any text' : `without any text, but with ${listed(other)}`
}
