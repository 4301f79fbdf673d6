import { expect } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import { codecFor } from '../../src/protocol/codecs.ts'
import type { Task } from '../../src/protocol/model.ts'

export const v01 = codecFor('0.1', 'JSONRPC')
export const v03 = codecFor('0.3', 'JSONRPC')
export const v03Rest = codecFor('0.3', 'HTTP+JSON')
export const v10 = codecFor('1.0', 'JSONRPC')
export const v10Rest = codecFor('1.0', 'HTTP+JSON')

export const task03 = (state: unknown): object => ({
  kind: 'task',
  id: 't1',
  contextId: 'c1',
  status: { state },
  artifacts: [{ artifactId: 'a1', parts: [{ kind: 'text', text: 'done' }] }],
})
export const task10 = (state: unknown): object => ({ id: 't1', contextId: 'c1', status: { state } })
export const message03 = (role: unknown): object => ({
  kind: 'message',
  messageId: 'm2',
  role,
  parts: [{ kind: 'text', text: 'hi' }],
})
export const message10 = (role: unknown): object => ({ messageId: 'm2', role, parts: [{ text: 'hi' }] })

/** Findings as `id path: message`, for short tables. */
export function notes(codec: Codec, result: unknown): string[] {
  return codec.readReply(result).findings.map(({ id, path, message }) => `${id} ${path}: ${message}`)
}
export function state(codec: Codec, result: unknown): string {
  return (codec.readReply(result).value as Task).status.state
}
export function parts(codec: Codec, list: unknown): unknown {
  return codec.readReply({ messageId: 'm', role: 'agent', parts: list }).value
}
/** The error of an answer that cannot be read. */
export const badReply = (message: string): unknown => expect.objectContaining({ code: 'BAD_REPLY', message })
