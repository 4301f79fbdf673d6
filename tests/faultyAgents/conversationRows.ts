import type { A2AAgent } from '../../src/agent/types.ts'
import { checkAskForInput, type AskForInputOptions } from '../../src/checks/multiTurn/checkAskForInput.ts'
import { checkIsolateContexts } from '../../src/checks/multiTurn/checkIsolateContexts.ts'
import { checkKeepContext } from '../../src/checks/multiTurn/checkKeepContext.ts'
import { faults, startAgentFrom, type Fault, type Json, type Respond } from '../../src/testing/index.ts'
import type { Verdict } from '../../src/checks/verdict.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'
import { agentFrom, itself } from './baseAgents.ts'

const nothing = 'You have not told me a code word.'

/** Remembers code words; `place` says where, `speak` how it repeats them. */
function remembering(
  place: (contextId: string, broken: boolean) => string,
  speak: (word: string, broken: boolean) => ReturnType<Respond> = (word) => word,
): StartAgent {
  return (fault) => {
    const broken = fault.length > 0
    const words = new Map<string, string>()
    return startAgentFrom({
      fault,
      respond: ({ text, contextId }) => {
        const word = /(?:code word is|later:) (\w+)/.exec(text)?.[1]
        if (word === undefined) return speak(words.get(place(contextId, broken)) ?? nothing, broken)
        words.set(place(contextId, broken), word)
        return `Noted: ${word}.`
      },
    })
  }
}
const byContext = remembering((contextId) => contextId)
/** Keeps everything in one place for all when it is broken. */
const forAll = (speak?: (word: string, broken: boolean) => ReturnType<Respond>): StartAgent =>
  remembering((contextId, broken) => (broken ? 'everybody' : contextId), speak)

/** Answers each message with a new task. */
const working = agentFrom({ respond: ({ text }) => [{ state: 'completed', text: `Done: ${text}` }] })

const conversation = ['The code word is LINDEN.', 'Which code word?'] as const
const kept = (agent: A2AAgent): Promise<Verdict> => checkKeepContext(agent, [conversation, 'LINDEN'], budget)
const anyKept = (agent: A2AAgent): Promise<Verdict> => checkKeepContext(agent, [conversation], budget)
const isolated = (agent: A2AAgent): Promise<Verdict> =>
  checkIsolateContexts(agent, [{ secret: 'MAPLE7' }], budget)

/** Changes the result of every message that continues a context. */
const later = (change: (result: Json) => Json): Fault =>
  faults.result((result, { body }) => (/"(contextId|taskId)"/.test(body) ? change(result) : result))
const inMessage = (patch: Json): ((result: Json) => Json) => {
  return ({ message }) => ({ message: { ...(message as Json), ...patch } })
}
const inTask = (patch: Json): ((result: Json) => Json) => {
  return ({ task }) => ({ task: { ...(task as Json), ...patch } })
}
/** Answers messages that continue a context with an error. */
const refusing = (code: number, message: string): Fault => ({
  reply: (own, { body }) =>
    /"(contextId|taskId)"/.test(body)
      ? { json: { jsonrpc: '2.0', id: (JSON.parse(body) as Json).id, error: { code, message } } }
      : own,
})
function firstAgain(): Fault {
  let first: Json | undefined
  return faults.result((result) => (first ??= structuredClone(result)))
}

/** Conversations in one context. */
export const contextsKept: FaultyAgent[] = [
  {
    name: 'answers in another context than it was asked in, though it remembers',
    finding: 'wire/context-changed',
    level: 'error',
    message: 'to c2 in turn 2',
    start: byContext,
    fault: later(inMessage({ contextId: 'c2' })),
    check: kept,
  },
  {
    name: 'keeps the id of the context and nothing else',
    finding: 'conversation/forgot',
    level: 'error',
    message: `turn 2: a Message with the text "${nothing}"; the text does not contain "LINDEN"`,
    start: remembering((contextId, broken) => (broken ? `${contextId} ${Math.random()}` : contextId)),
    fault: itself,
    check: kept,
  },
  {
    name: 'hands out the finished task again in place of a new one',
    finding: 'conversation/old-task',
    level: 'error',
    message: 'again, which had finished in turn 1',
    start: working,
    fault: firstAgain(),
    check: anyKept,
  },
  {
    name: 'names no context',
    finding: 'conversation/no-context',
    level: 'warning',
    message: 'the reply in turn 1 has no contextId, so there is no context to continue',
    start: byContext,
    fault: faults.resultField('message.contextId', undefined),
    check: anyKept,
  },
  {
    name: 'no longer names the context in later replies',
    finding: 'conversation/no-context',
    level: 'warning',
    message: 'the reply in turn 2 has no contextId, although the message was sent in context',
    start: byContext,
    fault: later(inMessage({ contextId: undefined })),
    check: kept,
  },
  {
    name: 'has nothing to say at the end of a conversation',
    finding: 'reply/empty',
    level: 'error',
    message: 'turn 2: a Message without any text',
    start: byContext,
    fault: later(inMessage({ parts: [{ text: '' }] })),
    check: anyKept,
  },
  {
    name: 'fails at the first message of a conversation',
    finding: 'reply/task-failed',
    level: 'error',
    message: 'turn 1 of 2: task',
    start: working,
    fault: faults.resultField('task.status.state', 'TASK_STATE_FAILED'),
    check: anyKept,
  },
  {
    name: 'takes one message a context',
    finding: 'rpc/error',
    level: 'error',
    message: 'message 2: ',
    start: byContext,
    fault: refusing(-32602, 'this context is closed'),
    check: kept,
  },
]

/** Conversations in two contexts. */
export const contextsApart: FaultyAgent[] = [
  {
    name: 'reveals what one user said to all others',
    finding: 'conversation/leak',
    level: 'error',
    message: '"MAPLE7" leaked (text): a Message with the text "MAPLE7"',
    start: forAll(),
    fault: itself,
    check: isolated,
  },
  {
    name: 'writes it into the data of an artifact, in another case',
    finding: 'conversation/leak',
    level: 'error',
    message: '"MAPLE7" leaked (data[0].note)',
    start: forAll((word, broken) =>
      broken
        ? [
            { artifact: { artifactId: 'a', parts: [{ data: { note: `it was ${word.toLowerCase()}` } }] } },
            { state: 'completed' },
          ]
        : word,
    ),
    fault: itself,
    check: isolated,
  },
  {
    name: 'writes it into a file',
    finding: 'conversation/leak',
    level: 'error',
    message: '"MAPLE7" leaked (task.artifacts[0].parts[0].bytes)',
    start: forAll((word, broken) =>
      broken
        ? [
            { artifact: { artifactId: 'a', parts: [{ raw: Buffer.from(word).toString('base64') }] } },
            { state: 'completed' },
          ]
        : word,
    ),
    fault: itself,
    check: isolated,
  },
  {
    name: 'puts it into the history of another task',
    finding: 'conversation/leak',
    level: 'error',
    message: '"MAPLE7" leaked (task.history[0].parts[0].text): task',
    start: working,
    fault: faults.result(
      inTask({
        history: [{ messageId: 'm0', role: 'ROLE_USER', parts: [{ text: 'My code word is Maple7.' }] }],
      }),
    ),
    known: ['conversation/not-remembered'],
    check: isolated,
  },
  {
    name: 'puts all messages without a context into the same one',
    finding: 'conversation/shared-context',
    level: 'error',
    message: 'two messages without a contextId were both assigned to context c1',
    start: byContext,
    fault: faults.resultField('message.contextId', 'c1'),
    check: isolated,
  },
  {
    name: 'keeps secrets because it remembers nothing',
    finding: 'conversation/not-remembered',
    level: 'warning',
    message: 'so its silence in the other context proves nothing',
    start: byContext,
    fault: faults.resultField('message.parts', [{ text: 'I forget everything.' }]),
    check: isolated,
  },
  {
    name: 'cannot be asked again in the first context, because it names none',
    finding: 'conversation/no-context',
    level: 'warning',
    message: 'the first reply names no contextId, so the agent cannot be asked in the context of the secret',
    start: byContext,
    fault: faults.resultField('message.contextId', undefined),
    check: isolated,
  },
  {
    name: 'rejects messages without a context',
    finding: 'reply/task-rejected',
    level: 'error',
    message: 'sending the secret: task',
    start: working,
    fault: faults.resultField('task.status.state', 'TASK_STATE_REJECTED'),
    known: ['conversation/not-remembered'],
    check: isolated,
  },
]

/** Asks for the branch before it does anything: once, or again and again when broken. */
const asking: StartAgent = (fault) =>
  startAgentFrom({
    fault,
    respond: ({ said }) =>
      said.length < 2 || fault.includes(itself)
        ? [{ state: 'input-required', text: 'Which branch?' }]
        : [
            { artifact: { artifactId: 'a', parts: [{ text: `Compared with ${said.at(-1)}` }] } },
            { state: 'completed' },
          ],
  })
const asked =
  (more: Partial<AskForInputOptions> = {}) =>
  (agent: A2AAgent): Promise<Verdict> =>
    checkAskForInput(agent, ['Review this', { answer: 'main', ...more }], budget)
const ending = (state: string, text?: string): Json => ({
  status: {
    state,
    ...(text !== undefined && { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } }),
  },
})
const first = (change: (result: Json) => Json): Fault =>
  faults.result((result, { body }) => (body.includes('"taskId"') ? result : change(result)))
const textMessage = (text: string): (() => Json) => {
  return () => ({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } })
}

/** Agents that ask for input. */
export const questions: FaultyAgent[] = [
  {
    name: 'does not ask, but guesses',
    finding: 'conversation/not-asked',
    level: 'error',
    message: 'no question: task',
    start: asking,
    fault: first(inTask(ending('TASK_STATE_COMPLETED', 'Compared with main'))),
    check: asked(),
  },
  {
    name: 'asks in a Message, so the answer cannot continue a task',
    finding: 'conversation/not-asked',
    level: 'error',
    message: 'no question: a Message with the text "Which branch?"',
    start: asking,
    fault: first(textMessage('Which branch?')),
    check: asked(),
  },
  {
    name: 'waits for an answer without a question',
    finding: 'conversation/no-question',
    level: 'error',
    message: 'is waiting in state input-required without any text, so the question is unknown',
    start: asking,
    fault: first(inTask(ending('TASK_STATE_INPUT_REQUIRED'))),
    check: asked(),
  },
  {
    name: 'asks about something else',
    finding: 'reply/differs',
    level: 'error',
    message: 'the question: task',
    start: asking,
    fault: first(inTask(ending('TASK_STATE_INPUT_REQUIRED', 'Who are you?'))),
    check: asked({ expectedQuestion: 'branch' }),
  },
  {
    name: 'does not find the task that it has asked about',
    finding: 'conversation/answer-refused',
    level: 'error',
    message: 'was refused: ',
    start: asking,
    fault: refusing(-32001, 'Task not found'),
    check: asked(),
  },
  {
    name: 'takes the answer for a new task',
    finding: 'conversation/new-task',
    level: 'error',
    message: 'was treated as a new task: task t9 completed',
    start: asking,
    fault: later(inTask({ id: 't9' })),
    check: asked(),
  },
  {
    name: 'takes the answer for small talk',
    finding: 'reply/no-task',
    level: 'error',
    message: 'got a Message with the text "Main what?", which is not a task',
    start: asking,
    fault: later(textMessage('Main what?')),
    check: asked(),
  },
  {
    name: 'moves the task to another context',
    finding: 'wire/context-changed',
    level: 'error',
    message: 'to c9 with the answer',
    start: asking,
    fault: later(inTask({ contextId: 'c9' })),
    check: asked(),
  },
  {
    name: 'asks again and again',
    finding: 'conversation/still-waiting',
    level: 'error',
    message: 'after 3 answers task',
    start: asking,
    fault: itself,
    check: asked({ maxAnswers: 3 }),
  },
  {
    name: 'gets its answer and wants an authorization, too',
    finding: 'conversation/still-waiting',
    level: 'error',
    message: 'is waiting in state auth-required with the text "Who allows it?"',
    start: asking,
    fault: later(inTask(ending('TASK_STATE_AUTH_REQUIRED', 'Who allows it?'))),
    check: asked(),
  },
  {
    name: 'fails at the answer',
    finding: 'reply/task-failed',
    level: 'error',
    message: 'after the answer: task',
    start: asking,
    fault: later(inTask(ending('TASK_STATE_FAILED', 'no such branch'))),
    check: asked(),
  },
  {
    name: 'never gets done with the answer',
    finding: 'wire/unsettled',
    level: 'error',
    message: 'still working after',
    start: asking,
    fault: faults.result((result, { body }) => {
      const task = (result.task ?? result) as Json
      const going = { ...task, ...ending('TASK_STATE_WORKING') }
      if (body.includes('GetTask')) return going
      return body.includes('"taskId"') ? { task: going } : result
    }),
    check: asked({ waitMs: 1000 }),
  },
  {
    name: 'answers something else in the end',
    finding: 'reply/differs',
    level: 'error',
    message: 'the text does not contain "main"',
    start: asking,
    fault: later(inTask({ artifacts: [{ artifactId: 'a', parts: [{ text: 'Nothing to see' }] }] })),
    check: asked({ expected: 'main' }),
  },
]
