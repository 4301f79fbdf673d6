import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as sdk03 from 'a2a-sdk-0.3/server'
import * as express03 from 'a2a-sdk-0.3/server/express'
import { Role, TaskState, type Message } from 'a2a-sdk-1'
import * as sdk1 from 'a2a-sdk-1/server'
import * as express1 from 'a2a-sdk-1/server/express'
import express from 'express'

/** What the executor of either SDK receives, and how it can answer. */
interface Turn {
  text: string
  contextId: string
  taskId: string
  /** True when the message continues a task. */
  isContinuation: boolean
  message(text: string): void
  task(): void
  status(state: 'working' | 'input-required' | 'auth-required' | 'completed', text: string): void
}

/** A running agent. */
export interface ConversationAgent {
  url: string
  /** Approves what the task is waiting for. */
  approve(taskId: string): void
  close(): Promise<void>
}

/** Remembers a code word, asks for a branch, and deploys when it is allowed to: the same for both SDKs. */
function createResponder(): { respond(turn: Turn): Promise<void>; approve(taskId: string): void } {
  const words = new Map<string, string>()
  const waiting = new Map<string, () => void>()
  return {
    async respond(turn) {
      const { text, contextId, taskId } = turn
      if (turn.isContinuation) return turn.status('completed', `Reviewed against ${text}`)
      if (text.includes('Review')) {
        turn.task()
        return turn.status('input-required', 'Which branch?')
      }
      if (text.includes('Deploy')) {
        turn.task()
        const allowed = new Promise<void>((resolve) => waiting.set(taskId, resolve))
        turn.status('auth-required', 'Ann must allow this.')
        await allowed
        turn.status('working', 'Rolling out')
        return turn.status('completed', 'It is live.')
      }
      const word = /later: (\w+)/.exec(text)?.[1]
      if (word !== undefined) words.set(contextId, word)
      return turn.message(word === undefined ? (words.get(contextId) ?? 'I do not know.') : 'Noted.')
    },
    approve: (taskId) => waiting.get(taskId)?.(),
  }
}

async function listen(app: express.Express): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const about = {
  name: 'Responder',
  description: 'Remembers, asks and waits.',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
}
const skill = {
  id: 'conversation',
  name: 'Conversation',
  description: 'Conversations.',
  tags: ['conversation'],
}

/** The agent on SDK 1.3.0. */
export async function startConversationAgent1(): Promise<ConversationAgent> {
  const responder = createResponder()
  const app = express()
  const { url, close } = await listen(app)
  const says = (value: string, contextId: string, taskId: string): Message => ({
    messageId: randomUUID(),
    role: Role.ROLE_AGENT,
    parts: [
      { content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined },
    ],
    contextId,
    taskId,
    extensions: [],
    metadata: undefined,
    referenceTaskIds: [],
  })
  const states = {
    working: TaskState.TASK_STATE_WORKING,
    'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
    'auth-required': TaskState.TASK_STATE_AUTH_REQUIRED,
    completed: TaskState.TASK_STATE_COMPLETED,
  }
  const executor: sdk1.AgentExecutor = {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const timestamp = new Date().toISOString()
      const status = (state: TaskState, message?: Message) => ({ state, message, timestamp })
      const [part] = userMessage.parts
      await responder.respond({
        text: part?.content?.$case === 'text' ? part.content.value : '',
        contextId,
        taskId,
        isContinuation: task !== undefined,
        message: (text) => bus.publish(sdk1.AgentEvent.message(says(text, contextId, ''))),
        task: () =>
          bus.publish(
            sdk1.AgentEvent.task({
              id: taskId,
              contextId,
              status: status(TaskState.TASK_STATE_SUBMITTED),
              artifacts: [],
              history: [userMessage],
              metadata: undefined,
            }),
          ),
        status: (state, text) =>
          bus.publish(
            sdk1.AgentEvent.statusUpdate({
              taskId,
              contextId,
              status: status(states[state], says(text, contextId, taskId)),
              metadata: undefined,
            }),
          ),
      })
      bus.finished()
    },
    cancelTask: () => Promise.resolve(),
  }
  const card = {
    ...about,
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' },
    ],
    provider: { organization: 'Example', url: 'https://example.com' },
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    skills: [{ ...skill, examples: [], inputModes: [], outputModes: [], securityRequirements: [] }],
    documentationUrl: '',
    signatures: [],
  }
  const requestHandler = new sdk1.DefaultRequestHandler(card, new sdk1.InMemoryTaskStore(), executor)
  const userBuilder = express1.UserBuilder.noAuthentication
  app.use('/.well-known/agent-card.json', express1.agentCardHandler({ agentCardProvider: requestHandler }))
  app.use('/rpc', express1.jsonRpcHandler({ requestHandler, userBuilder }))
  app.use('/rest', express1.restHandler({ requestHandler, userBuilder }))
  return { url, close, approve: responder.approve }
}

/** The agent on SDK 0.3.14. */
export async function startConversationAgent03(): Promise<ConversationAgent> {
  const responder = createResponder()
  const app = express()
  const { url, close } = await listen(app)
  const executor: sdk03.AgentExecutor = {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const says = (text: string) => ({
        kind: 'message' as const,
        messageId: randomUUID(),
        role: 'agent' as const,
        parts: [{ kind: 'text' as const, text }],
        contextId,
      })
      const timestamp = new Date().toISOString()
      const [part] = userMessage.parts
      await responder.respond({
        text: part?.kind === 'text' ? part.text : '',
        contextId,
        taskId,
        isContinuation: task !== undefined,
        message: (text) => bus.publish(says(text)),
        task: () =>
          bus.publish({
            kind: 'task',
            id: taskId,
            contextId,
            status: { state: 'submitted', timestamp },
            history: [userMessage],
          }),
        status: (state, text) =>
          bus.publish({
            kind: 'status-update',
            taskId,
            contextId,
            status: { state, message: { ...says(text), taskId }, timestamp },
            final: state === 'completed' || state === 'input-required',
          }),
      })
      bus.finished()
    },
    cancelTask: () => Promise.resolve(),
  }
  const card = {
    ...about,
    protocolVersion: '0.3.0',
    url: `${url}/rpc`,
    preferredTransport: 'JSONRPC' as const,
    additionalInterfaces: [
      { url: `${url}/rpc`, transport: 'JSONRPC' as const },
      { url: `${url}/rest`, transport: 'HTTP+JSON' as const },
    ],
    capabilities: { streaming: true, pushNotifications: false },
    skills: [skill],
  }
  const requestHandler = new sdk03.DefaultRequestHandler(card, new sdk03.InMemoryTaskStore(), executor)
  const userBuilder = express03.UserBuilder.noAuthentication
  app.use('/.well-known/agent-card.json', express03.agentCardHandler({ agentCardProvider: requestHandler }))
  app.use('/rpc', express03.jsonRpcHandler({ requestHandler, userBuilder }))
  app.use('/rest', express03.restHandler({ requestHandler, userBuilder }))
  return { url, close, approve: responder.approve }
}
