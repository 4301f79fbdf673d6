/** Results of 1.0, of task t1 in context c1 by default. */
export type Json = Record<string, unknown>

export const task = (state: string, more: Json = {}): Json => ({
  task: { id: 't1', contextId: 'c1', status: { state: `TASK_STATE_${state}` }, ...more },
})
export const status = (state: string, taskId = 't1'): Json => ({
  statusUpdate: { taskId, contextId: 'c1', status: { state: `TASK_STATE_${state}` } },
})
export const chunk = (text: string, more: Json = {}): Json => ({
  artifactUpdate: {
    taskId: 't1',
    contextId: 'c1',
    artifact: { artifactId: 'a1', parts: [{ text }] },
    ...more,
  },
})
export const message = (text: string): Json => ({
  message: { messageId: 'm1', contextId: 'c1', role: 'ROLE_AGENT', parts: [{ text }] },
})

/** The JSON of an event over JSON-RPC; the agent puts in the id of the request. */
export const rpc = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: '$id', result })
export const rpcError = (code: number, text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: '$id', error: { code, message: text } })

/** An event as it stands in a stream. */
export const frame = (result: unknown): string => `data: ${rpc(result)}\n\n`

/** A whole stream: a task that says "Oslo" and completes. */
export const whole: readonly Json[] = [task('WORKING'), chunk('Oslo'), status('COMPLETED')]
