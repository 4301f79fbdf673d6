import type { Artifact, Part, Task } from '../../protocol/model.ts'
import { count, quote } from '../phrases.ts'

/** The first difference between the task as streamed and the task as fetched; undefined if they are equal. */
export function lostBetween(streamed: Task, fetched: Task, method: string): string | undefined {
  const { state } = fetched.status
  if (streamed.status.state !== state)
    return `the stream ended with state ${streamed.status.state}, but ${method} returns ${state}`
  for (const artifact of fetched.artifacts) {
    const id = artifact.artifactId
    const seen = streamed.artifacts.find((one) => one.artifactId === id)
    if (seen === undefined) return `artifact ${id} of ${method} was never streamed`
    const difference = between(seen, artifact)
    if (difference !== undefined)
      return `artifact ${id} has ${difference.fetched} in ${method}, but ${difference.seen} in what was streamed before and after the interruption`
  }
  const extra = streamed.artifacts.find(
    (one) => !fetched.artifacts.some((other) => other.artifactId === one.artifactId),
  )
  if (extra !== undefined) return `artifact ${extra.artifactId} was streamed, but ${method} does not have it`
  const [streamedText, fetchedText] = [
    textOf(streamed.status.message?.parts),
    textOf(fetched.status.message?.parts),
  ]
  if (streamedText !== '' && fetchedText !== '' && streamedText !== fetchedText)
    return `the last status message is ${quote(streamedText)} in the stream, but ${quote(fetchedText)} in ${method}`
  return undefined
}

function between(seen: Artifact, fetched: Artifact): { seen: string; fetched: string } | undefined {
  const [seenText, fetchedText] = [textOf(seen.parts), textOf(fetched.parts)]
  if (seenText !== fetchedText) {
    return seenText.length === fetchedText.length
      ? { seen: quote(seenText), fetched: quote(fetchedText) }
      : { seen: `${seenText.length}`, fetched: count(fetchedText.length, 'character') }
  }
  const [seenRest, fetchedRest] = [restOf(seen.parts), restOf(fetched.parts)]
  if (isSame(seenRest, fetchedRest)) return undefined
  return seenRest.length === fetchedRest.length
    ? { seen: 'others', fetched: 'other data or files' }
    : { seen: `${seenRest.length}`, fetched: count(fetchedRest.length, 'other part') }
}

/** Compares regardless of where the chunks are split. */
export function textOf(parts: readonly Part[] = []): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}

/** Data and files, each as JSON. */
export function restOf(parts: readonly Part[] = []): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return []
    return [JSON.stringify(part.kind === 'data' ? part.data : [part.name, part.bytes, part.url])]
  })
}

/** True if both lists have the same members. */
export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((member, at) => member === other[at])
}
