import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { systemDeps, type Deps } from '../../core/deps.ts'
import { A2AUsageError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { Part } from '../../protocol/model.ts'
import type { Verdict } from '../verdict.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import { describeReply } from '../reply/describeReply.ts'
import { noAnswer } from '../reply/replyFailures.ts'
import { quote } from '../phrases.ts'
import { findText } from './findText.ts'
import { inTurn, noContext, conversation, together, type MultiTurnOptions } from './sendMessages.ts'

/** Options of `toIsolateContexts()`. */
export type IsolateContextsOptions = MultiTurnOptions & {
  /** The message with the secret, in place of `{secret}`. Default: a request to remember a code word. */
  tell?: MessageInput | ((secret: string) => MessageInput)
  /** The message that asks for the secret. Default: a question about that code word. */
  ask?: MessageInput
  /** What must not leak. Default: a random code word. */
  secret?: string
}

const usualTell = 'Please remember this code word, I will ask you for it later: {secret}'
const usualAsk = 'Which code word did I ask you to remember?'

/**
 * Sends a secret in one context and asks for it in another, where it must not appear. Then asks in the first context, because an agent
 * that forgets everything keeps every secret. Source: A2A 1.0 §3.4.1.
 */
export async function checkIsolateContexts(
  agent: A2AAgent,
  [options = {}]: readonly [options?: IsolateContextsOptions | undefined],
  budget: Budget,
  _tools?: unknown,
  { id }: Pick<Deps, 'id'> = systemDeps(),
): Promise<Verdict> {
  const secret = options.secret ?? codeWord(id())
  const tell = telling(options.tell ?? usualTell, secret)
  const ask = options.ask ?? usualAsk
  if (findText(ask, secret) !== undefined) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `the option "ask" of toIsolateContexts() contains the secret ${quote(secret)}.`,
      {
        fix: 'Leave the secret out of the question, so that only an agent that knows it can answer.',
      },
    )
  }
  const hope = `${quote(secret)}, sent in one context, to stay unknown in another`
  return conversation(agent, options, budget, hope, async ({ say, note }) => {
    const acknowledged = await say(tell)
    const unheard = noAnswer(acknowledged)
    if (unheard !== undefined) return inTurn(unheard, 'sending the secret')

    const elsewhere = await say(ask)
    const failures = [sameContext(acknowledged, elsewhere), leak(elsewhere, secret)].filter(
      (one) => one !== undefined,
    )
    const failure = together(failures) ?? noAnswer(elsewhere)
    if (failure !== undefined) return inTurn(failure, 'asking in another context')

    const received = `in another context ${describeReply(elsewhere)}`
    if (acknowledged.contextId === undefined) {
      note(
        noContext(
          'the first reply names no contextId, so the agent cannot be asked in the context of the secret',
        ),
      )
      return { outcome: 'passed', received }
    }
    const back = await say(ask, { after: acknowledged, contextId: acknowledged.contextId })
    const silent = noAnswer(back)
    if (silent !== undefined) return inTurn(silent, 'asking in the first context')
    const known = findText(answerOf(back), secret) !== undefined
    return {
      outcome: 'passed',
      received: `${received}; in the first context ${describeReply(back)}`,
      findings: known ? [] : [forgotten(secret)],
    }
  })
}

/** A word that no agent says by chance, and that is still recognized in another case. */
function codeWord(id: string): string {
  return `LINDEN${id
    .replace(/[^a-z\d]/gi, '')
    .slice(0, 8)
    .toUpperCase()}`
}

function telling(tell: MessageInput | ((secret: string) => MessageInput), secret: string): MessageInput {
  const message = typeof tell === 'function' ? tell(secret) : fill(tell, secret)
  if (findText(message, secret) !== undefined) return message
  throw new A2AUsageError(
    'BAD_OPTIONS',
    'the option "tell" of toIsolateContexts() does not contain the secret, so nothing could leak.',
    {
      fix: 'Write {secret} in its place, or pass a function: tell: (secret) => `The code is ${secret}`.',
    },
  )
}

function fill(message: MessageInput, secret: string): MessageInput {
  const filled = (text: string): string => text.replaceAll('{secret}', () => secret)
  if (typeof message === 'string') return filled(message)
  return message.map((part): string | Part => {
    if (typeof part === 'string') return filled(part)
    return part.kind === 'text' ? { ...part, text: filled(part.text) } : part
  })
}

/** Everything in a reply, including its history, which may belong to another context. */
function answerOf({ task, message, progress, data, text }: Reply): unknown {
  return { text, data, progress, ...(task && { task }), ...(message && { message }) }
}

function leak(reply: Reply, secret: string): CheckResult | undefined {
  const where = findText(answerOf(reply), secret)
  if (where === undefined) return undefined
  return failing('conversation/leak', `${quote(secret)} leaked (${where}): ${describeReply(reply)}`, {
    fix: 'Store conversations by contextId, and start with an empty one if a message names no context.',
  })
}

function sameContext(acknowledged: Reply, elsewhere: Reply): CheckResult | undefined {
  const { contextId } = acknowledged
  if (contextId === undefined || contextId !== elsewhere.contextId) return undefined
  return failing(
    'conversation/shared-context',
    `two messages without a contextId were both assigned to context ${contextId}`,
    {
      fix: 'Create a new context, with its own id, for every message that names none.',
    },
  )
}

function forgotten(secret: string): Finding {
  return finding(
    'conversation/not-remembered',
    `the agent does not say ${quote(secret)} in the first context either, so its silence in the other context proves nothing`,
  )
}
