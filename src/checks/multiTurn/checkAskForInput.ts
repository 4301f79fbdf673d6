import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { A2AUsageError, isA2AError, isReplyError } from '../../core/errors.ts'
import type { Budget } from '../types.ts'
import type { Verdict } from '../verdict.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import { describeReply, hasText } from '../reply/describeReply.ts'
import type { Expected } from '../reply/expectedValue.ts'
import { noAnswer } from '../reply/replyFailures.ts'
import { inTime, expectedReply, type ExpectedReply } from '../reply/expectedReply.ts'
import { count, isRecord, show } from '../phrases.ts'
import {
  contextMoved,
  inTurn,
  conversation,
  type Conversation,
  type MultiTurnOptions,
} from './sendMessages.ts'

/** Returns the answer to a question of the agent. */
export type Answer = MessageInput | ((question: string, reply: Reply) => MessageInput | Promise<MessageInput>)

/** Options of `toAskForInput()`. */
export type AskForInputOptions = MultiTurnOptions & {
  /** The answer to the agent's question; a function receives the question. */
  answer: Answer
  /** What the first question must be. Default: any text. */
  expectedQuestion?: Expected<Reply>
  /** What the reply after the last answer must be. Default: any reply that completes the task. */
  expected?: Expected<Reply>
  /** The string in `expected` must be the whole text, not only contained in it. Default false. */
  exact?: boolean
  /** The most questions to answer. Default 1; 5 when `answer` is a function. */
  maxAnswers?: number
}

const name = 'toAskForInput'

/**
 * Sends one message to which the agent must reply with a question, answers in the same task, and waits until it settles.
 * Source: A2A 0.3 §6.3, §9.4; A2A 1.0 §3.4.3, §4.1.3.
 */
export async function checkAskForInput(
  agent: A2AAgent,
  [message, options]: readonly [message: MessageInput, options: AskForInputOptions],
  budget: Budget,
): Promise<Verdict> {
  const { answer } = options
  const { expectedQuestion, expected, exact, maxAnswers = typeof answer === 'function' ? 5 : 1 } = options
  const asked =
    expectedQuestion === undefined ? undefined : expectedReply(expectedQuestion, { matcher: name })
  const expectation = expected === undefined ? undefined : expectedReply(expected, { matcher: name, exact })
  return conversation(agent, options, budget, hopeOf(asked, expectation), async (running) => {
    const first = await running.say(message)
    const wrong = await noQuestion(first, asked, budget.signal)
    if (wrong !== undefined) return wrong

    let last = first
    for (let answers = 1; ; answers++) {
      const next = await answerTo(running, last, answer, answers)
      if ('result' in next) return next.result
      last = next.reply
      if (last.state !== 'input-required') break
      const mute = noQuestionText(last)
      if (mute !== undefined) return inTurn(mute, `after ${count(answers, 'answer')}`)
      if (answers === maxAnswers) return stillWaiting(last, answers)
    }
    if (last.state !== 'completed') return stillWaiting(last, undefined)
    return expectation?.judge(last, budget.signal) ?? { outcome: 'passed', received: describeReply(last) }
  })
}

function hopeOf(asked: ExpectedReply | undefined, expectation: ExpectedReply | undefined): string {
  const question =
    asked === undefined ? 'a question (input-required)' : `a question (input-required) ${asked.phrase}`
  return `${question}, and after the answer the same task completed${expectation === undefined ? '' : ` with a reply ${expectation.phrase}`}`
}

/** The failure of a first reply that is not a question. */
async function noQuestion(
  reply: Reply,
  asked: ExpectedReply | undefined,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const none = noAnswer(reply)
  if (none !== undefined) return none
  if (reply.state !== 'input-required') {
    return failing('conversation/not-asked', `no question: ${describeReply(reply)}`, {
      fix: 'If more input is needed, return a task in state input-required with the question in its status message.',
    })
  }
  const mute = noQuestionText(reply)
  if (mute !== undefined || asked === undefined) return mute
  const result = await asked.judge(reply, signal)
  return result.outcome === 'passed' ? undefined : inTurn(result, 'the question')
}

function noQuestionText(reply: Reply): CheckResult | undefined {
  if (hasText(reply)) return undefined
  return failing('conversation/no-question', `${describeReply(reply)}, so the question is unknown`, {
    fix: 'Put the question into the status message of the task.',
  })
}

/** Answers the question of a task, in that task. */
async function answerTo(
  { say, budget }: Conversation,
  asking: Reply,
  answer: Answer,
  answers: number,
): Promise<{ reply: Reply } | { result: CheckResult }> {
  const taskId = asking.taskId ?? ''
  const words = typeof answer === 'function' ? await ownAnswer(answer, asking, budget.signal) : answer
  let reply: Reply
  try {
    reply = await say(words, { after: asking })
  } catch (error) {
    if (!isReplyError(error) || error.code !== 'RPC_ERROR') throw error
    return {
      result: failing(
        'conversation/answer-refused',
        `the answer to task ${taskId} was refused: ${error.message}`,
        {
          code: error.code,
          fix: 'Accept a message with the taskId of a task in state input-required as the answer.',
        },
      ),
    }
  }
  const which = answers === 1 ? 'the answer' : `answer ${answers}`
  if (reply.kind === 'message') {
    return {
      result: failing(
        'reply/no-task',
        `${which} to task ${taskId} got ${describeReply(reply)}, which is not a task`,
      ),
    }
  }
  if (reply.taskId !== taskId) {
    return {
      result: failing(
        'conversation/new-task',
        `${which} to task ${taskId} was treated as a new task: ${describeReply(reply)}`,
        { fix: 'Continue the task that the message names, under the same id.' },
      ),
    }
  }
  const wrong = contextMoved(asking.contextId, reply, `with ${which}`) ?? noAnswer(reply)
  return wrong === undefined ? { reply } : { result: inTurn(wrong, `after ${which}`) }
}

function stillWaiting(reply: Reply, answers: number | undefined): CheckResult {
  const after = answers === undefined ? 'after the answer' : `after ${count(answers, 'answer')}`
  return failing('conversation/still-waiting', `${after} ${describeReply(reply)}`, {
    fix: 'Complete the task once it has the answer; if it may ask more, raise `maxAnswers`.',
  })
}

/** Calls the function of the test; its errors are not the agent's fault. */
async function ownAnswer(
  answer: (question: string, reply: Reply) => MessageInput | Promise<MessageInput>,
  asking: Reply,
  signal: AbortSignal,
): Promise<MessageInput> {
  let given: unknown
  try {
    given = await inTime(answer(asking.text, asking), signal, name)
  } catch (error) {
    if (isA2AError(error)) throw error
    throw new A2AUsageError('BAD_USE', `the function "answer" of ${name}() threw ${String(error)}.`, {
      cause: error,
    })
  }
  const isMessage = typeof given === 'string' ? given !== '' : Array.isArray(given) && given.length > 0
  if (isMessage) return given as MessageInput
  throw new A2AUsageError(
    'BAD_USE',
    `the function "answer" of ${name}() returned ${shown(given)} instead of a message.`,
    {
      fix: 'Return a string, or an array of strings and parts.',
    },
  )
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  return isRecord(value) ? 'an object' : show(value)
}
