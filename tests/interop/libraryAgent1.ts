import {
  A2A_PROTOCOL_VERSION,
  AGENT_CARD_PATH,
  Role,
  TaskState,
  type AgentCard,
  type AgentCardSignatureGenerator,
  type Message,
  type Part,
} from 'a2a-sdk-1'
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  UnauthenticatedUser,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from 'a2a-sdk-1/server'
import { agentCardHandler, jsonRpcHandler, restHandler, type UserBuilder } from 'a2a-sdk-1/server/express'
import express from 'express'
import { LibraryAgent, type Step } from './libraryAgent.ts'
import { approvals, guard, isKnown, listen, type Guarding, type Served } from './listen.ts'

/** Serves the library agent by the handlers of SDK 1.3.0, its card signed where a signer is given. */
export function startLibraryAgent1(
  guarding: Guarding = 'open',
  sign?: AgentCardSignatureGenerator,
): Promise<Served> {
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
    const agentCardProvider = sign === undefined ? requestHandler : () => sign(card)
    app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider }))
    app.use('/rpc', ...guards, jsonRpcHandler({ requestHandler, userBuilder }))
    app.use('/rest', ...guards, restHandler({ requestHandler, userBuilder }))
  })
}

function cardOf(url: string, isGuarded: boolean): AgentCard {
  const scheme = { description: '', scheme: 'bearer', bearerFormat: '' }
  return {
    name: 'Library',
    description: 'Tells when a book is due.',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: A2A_PROTOCOL_VERSION, tenant: '' },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: A2A_PROTOCOL_VERSION, tenant: '' },
    ],
    provider: { organization: 'City library', url: 'https://library.example.com' },
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [],
      extendedAgentCard: isGuarded,
    },
    securitySchemes: isGuarded ? { key: { scheme: { $case: 'httpAuthSecurityScheme', value: scheme } } } : {},
    securityRequirements: isGuarded ? [{ schemes: { key: { list: [] } } }] : [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'due-date',
        name: 'Due date',
        description: 'Looks up when a book must be back.',
        tags: ['books'],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    documentationUrl: '',
    signatures: [],
  }
}

const states = {
  working: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  canceled: TaskState.TASK_STATE_CANCELED,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  'auth-required': TaskState.TASK_STATE_AUTH_REQUIRED,
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
        message: text === undefined ? undefined : says(text, about),
        timestamp: new Date().toISOString(),
      })
      // The SDK wants the task first in every turn.
      bus.publish(
        AgentEvent.task(
          task ?? {
            id: taskId,
            contextId,
            status: status(TaskState.TASK_STATE_SUBMITTED),
            artifacts: [],
            history: [userMessage],
            metadata: undefined,
          },
        ),
      )
      const told = { text: textOf(userMessage), contextId, isAnswer: task !== undefined }
      for await (const step of agent.serve(taskId, told)) bus.publish(eventOf(step))
      bus.finished()

      function eventOf(step: Step) {
        if ('state' in step)
          return AgentEvent.statusUpdate({
            ...about,
            status: status(states[step.state], step.text),
            metadata: undefined,
          })
        const rest = { description: '', metadata: undefined, extensions: [] }
        if ('loans' in step)
          return AgentEvent.artifactUpdate({
            ...about,
            artifact: { artifactId: 'loan', name: 'Loan', parts: loanParts(step), ...rest },
            append: false,
            lastChunk: true,
            metadata: undefined,
          })
        return AgentEvent.artifactUpdate({
          ...about,
          artifact: { artifactId: 'answer', name: 'Answer', parts: [text(step.chunk)], ...rest },
          append: step.append,
          lastChunk: step.last,
          metadata: undefined,
        })
      }
    },
    cancelTask(taskId: string): Promise<void> {
      agent.cancel(taskId)
      return Promise.resolve()
    },
  }
}

function textOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')
}

function says(what: string, about: { taskId: string; contextId: string }): Message {
  return {
    messageId: crypto.randomUUID(),
    role: Role.ROLE_AGENT,
    parts: [text(what)],
    ...about,
    extensions: [],
    metadata: undefined,
    referenceTaskIds: [],
  }
}

function loanParts({ loans, receipt }: Extract<Step, { loans: unknown }>): Part[] {
  const file = { mediaType: 'text/plain', filename: 'receipt.txt', metadata: undefined }
  return [
    {
      content: { $case: 'data', value: loans },
      mediaType: 'application/json',
      filename: '',
      metadata: undefined,
    },
    { content: { $case: 'raw', value: Buffer.from(receipt) }, ...file },
  ]
}

function text(value: string): Part {
  return { content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined }
}
