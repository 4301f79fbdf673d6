import type { Animal } from './animal.ts'
import { httpAnswers } from './http.ts'
import { rpcEnvelope } from './rpc.ts'
import { shapes, unreadable } from './shapes.ts'
import { replies, tasks } from './states.ts'
import { streams } from './streams.ts'

/** All animals by area. */
export const zoo: Record<string, Animal[]> = {
  shapes,
  unreadable,
  'JSON-RPC': rpcEnvelope,
  HTTP: httpAnswers,
  tasks,
  replies,
  streams,
}
