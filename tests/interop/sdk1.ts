import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  A2A_PROTOCOL_VERSION,
  AGENT_CARD_PATH,
  Role,
  TaskState,
  type AgentCard,
  type Message,
  type Part,
} from 'a2a-sdk-1'
import { duplicateInterfacesForLegacy } from 'a2a-sdk-1/compat/v0_3'
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from 'a2a-sdk-1/server'
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from 'a2a-sdk-1/server/express'
import express from 'express'

/** How an agent of ours on SDK 1.3.0 is served. */
export interface Sdk1Options {
  /** What the executor publishes: the events of a task, or one Message. */
  answers: 'task' | 'message'
  /** Serves 0.3 clients too, and says so in the card: `legacyCompat` of the SDK's handlers. */
  legacyCompat?: boolean
}

/** Serves it on a free port, all three handlers being the SDK's own. */
export async function startSdk1({ answers, legacyCompat = false }: Sdk1Options): Promise<{
  url: string
  close(): Promise<void>
}> {
  const app = express()
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const requestHandler = new DefaultRequestHandler(
    cardOf(url, legacyCompat),
    new InMemoryTaskStore(),
    answers === 'task' ? taskExecutor : messageExecutor,
  )
  const compat = legacyCompat ? { legacyCompat: { enabled: true } } : {}
  const userBuilder = UserBuilder.noAuthentication
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler, ...compat }))
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder, ...compat }))
  app.use('/rest', restHandler({ requestHandler, userBuilder, ...compat }))
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The card of a library agent, filled in as the SDK's own samples fill theirs: modes are bare words, and what is unknown is empty. */
function cardOf(url: string, legacyCompat: boolean): AgentCard {
  const interfaces = [
    { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: A2A_PROTOCOL_VERSION, tenant: '' },
    { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: A2A_PROTOCOL_VERSION, tenant: '' },
  ]
  return {
    name: 'Library',
    description: 'Tells when a book is due.',
    version: '1.0.0',
    supportedInterfaces: legacyCompat
      ? duplicateInterfacesForLegacy(interfaces, ['JSONRPC', 'HTTP+JSON'])
      : interfaces,
    provider: { organization: 'City library', url: 'https://library.example.com' },
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text'],
    defaultOutputModes: ['text', 'task-status'],
    skills: [
      {
        id: 'due-date',
        name: 'Due date',
        description: 'Looks up when a book must be back.',
        tags: ['books'],
        examples: ['When is my book due?'],
        inputModes: ['text'],
        outputModes: ['text', 'task-status'],
        securityRequirements: [],
      },
    ],
    documentationUrl: '',
    signatures: [],
  }
}

/** What both executors answer. */
export const answer = 'The book is due on Friday.'

/** Submitted, working, an artifact, completed: the course of a task in the SDK's documentation. */
const taskExecutor: AgentExecutor = {
  execute({ taskId, contextId, userMessage }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const status = (state: TaskState, message?: Message) => ({
      state,
      message,
      timestamp: new Date().toISOString(),
    })
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: status(TaskState.TASK_STATE_SUBMITTED),
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      }),
    )
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId,
        status: status(TaskState.TASK_STATE_WORKING, says('One moment …', contextId, taskId)),
        metadata: undefined,
      }),
    )
    bus.publish(
      AgentEvent.artifactUpdate({
        taskId,
        contextId,
        artifact: {
          artifactId: 'due-date',
          name: 'Due date',
          description: 'When the book must be back.',
          parts: [text(answer)],
          metadata: undefined,
          extensions: [],
        },
        append: false,
        lastChunk: true,
        metadata: undefined,
      }),
    )
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId,
        status: status(TaskState.TASK_STATE_COMPLETED),
        metadata: undefined,
      }),
    )
    bus.finished()
    return Promise.resolve()
  },
  cancelTask: () => Promise.resolve(),
}

const messageExecutor: AgentExecutor = {
  execute({ contextId }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    bus.publish(AgentEvent.message(says(answer, contextId, '')))
    bus.finished()
    return Promise.resolve()
  },
  cancelTask: () => Promise.resolve(),
}

function says(what: string, contextId: string, taskId: string): Message {
  return {
    messageId: crypto.randomUUID(),
    role: Role.ROLE_AGENT,
    parts: [text(what)],
    contextId,
    taskId,
    extensions: [],
    metadata: undefined,
    referenceTaskIds: [],
  }
}

function text(value: string): Part {
  return { content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined }
}
