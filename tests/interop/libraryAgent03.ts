import type { AgentCard, Message, TaskState } from 'a2a-sdk-0.3'
import {
  DefaultRequestHandler,
  InMemoryTaskStore,
  UnauthenticatedUser,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from 'a2a-sdk-0.3/server'
import { agentCardHandler, jsonRpcHandler, restHandler, type UserBuilder } from 'a2a-sdk-0.3/server/express'
import express from 'express'
import { LibraryAgent } from './libraryAgent.ts'
import { approvals, guard, isKnown, listen, type Guarding, type Served } from './listen.ts'

/** Serves the library agent by the handlers of SDK 0.3.14. */
export function startLibraryAgent03(guarding: Guarding = 'open'): Promise<Served> {
  const app = express()
  const agent = new LibraryAgent()
  return listen(app, (url) => {
    const card = cardOf(url, guarding !== 'open')
    const requestHandler = new DefaultRequestHandler(
      card,
      new InMemoryTaskStore(),
      executorFor(agent),
      undefined,
      undefined,
      undefined,
      { ...card, name: 'Library for members' },
    )
    const userBuilder: UserBuilder = (request) =>
      Promise.resolve(
        isKnown(request) ? { isAuthenticated: true, userName: 'Ada' } : new UnauthenticatedUser(),
      )
    app.post('/approve/:taskId', approvals(agent))
    const guards = guarding === 'middleware' ? [guard] : []
    app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }))
    app.use('/rpc', ...guards, jsonRpcHandler({ requestHandler, userBuilder }))
    app.use('/rest', ...guards, restHandler({ requestHandler, userBuilder }))
  })
}

function cardOf(url: string, isGuarded: boolean): AgentCard {
  return {
    name: 'Library',
    description: 'Tells when a book is due.',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url: `${url}/rpc`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: `${url}/rpc`, transport: 'JSONRPC' },
      { url: `${url}/rest`, transport: 'HTTP+JSON' },
    ],
    capabilities: { streaming: true, pushNotifications: true },
    supportsAuthenticatedExtendedCard: isGuarded,
    ...(isGuarded && {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      security: [{ key: [] }],
    }),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'due-date',
        name: 'Due date',
        description: 'Looks up when a book must be back.',
        tags: ['books'],
      },
    ],
  }
}

function executorFor(agent: LibraryAgent): AgentExecutor {
  return {
    async execute(
      { taskId, contextId, userMessage, task }: RequestContext,
      bus: ExecutionEventBus,
    ): Promise<void> {
      const about = { taskId, contextId }
      const status = (state: TaskState, text?: string) => ({
        state,
        timestamp: new Date().toISOString(),
        ...(text !== undefined && { message: says(text, about) }),
      })
      if (task === undefined)
        bus.publish({
          kind: 'task',
          id: taskId,
          contextId,
          status: status('submitted'),
          history: [userMessage],
        })
      const told = { text: textOf(userMessage), contextId, isAnswer: task !== undefined }
      for await (const step of agent.serve(taskId, told)) {
        if ('chunk' in step) {
          const { chunk, append, last } = step
          const artifact = {
            artifactId: 'answer',
            name: 'Answer',
            parts: [{ kind: 'text' as const, text: chunk }],
          }
          bus.publish({ kind: 'artifact-update', ...about, artifact, append, lastChunk: last })
        } else if ('loans' in step) {
          const bytes = Buffer.from(step.receipt).toString('base64')
          const artifact = {
            artifactId: 'loan',
            name: 'Loan',
            parts: [
              { kind: 'data' as const, data: step.loans },
              { kind: 'file' as const, file: { bytes, name: 'receipt.txt', mimeType: 'text/plain' } },
            ],
          }
          bus.publish({ kind: 'artifact-update', ...about, artifact, append: false, lastChunk: true })
        } else {
          const { state, text } = step
          bus.publish({
            kind: 'status-update',
            ...about,
            status: status(state, text),
            final: state !== 'working' && state !== 'auth-required',
          })
        }
      }
      bus.finished()
    },
    cancelTask(taskId: string): Promise<void> {
      agent.cancel(taskId)
      return Promise.resolve()
    },
  }
}

function textOf({ parts }: Message): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}

function says(text: string, about: { taskId: string; contextId: string }): Message {
  return {
    kind: 'message',
    messageId: crypto.randomUUID(),
    role: 'agent',
    parts: [{ kind: 'text', text }],
    ...about,
  }
}
