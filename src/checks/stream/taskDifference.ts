import type { Artifact, Part, Task } from '../../protocol/model.ts'
import { count, quote } from '../phrases.ts'

/** The first difference between the task as streamed and the task as fetched; undefined if there is none. */
export function lostBetween(streamed: Task, told: Task, method: string): string | undefined {
  const { state } = told.status
  if (streamed.status.state !== state)
    return `the stream ended with state ${streamed.status.state}, but ${method} returns ${state}`
  for (const artifact of told.artifacts) {
    const id = artifact.artifactId
    const seen = streamed.artifacts.find((one) => one.artifactId === id)
    if (seen === undefined) return `artifact ${id} of ${method} was never streamed`
    const difference = between(seen, artifact)
    if (difference !== undefined)
      return `artifact ${id} has ${difference.told} in ${method}, but ${difference.seen} in what was streamed before and after the interruption`
  }
  const extra = streamed.artifacts.find(
    (one) => !told.artifacts.some((other) => other.artifactId === one.artifactId),
  )
  if (extra !== undefined) return `artifact ${extra.artifactId} was streamed, but ${method} does not have it`
  const [said, toldText] = [textOf(streamed.status.message?.parts), textOf(told.status.message?.parts)]
  if (said !== '' && toldText !== '' && said !== toldText)
    return `the last status message is ${quote(said)} in the stream, but ${quote(toldText)} in ${method}`
  return undefined
}

function between(seen: Artifact, told: Artifact): { seen: string; told: string } | undefined {
  const [seenText, toldText] = [textOf(seen.parts), textOf(told.parts)]
  if (seenText !== toldText) {
    return seenText.length === toldText.length
      ? { seen: quote(seenText), told: quote(toldText) }
      : { seen: `${seenText.length}`, told: count(toldText.length, 'character') }
  }
  const [seenRest, toldRest] = [restOf(seen.parts), restOf(told.parts)]
  if (isSame(seenRest, toldRest)) return undefined
  return seenRest.length === toldRest.length
    ? { seen: 'others', told: 'other data or files' }
    : { seen: `${seenRest.length}`, told: count(toldRest.length, 'other part') }
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
