import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { systemDeps, type Deps } from '../../core/deps.ts'
import { A2AUsageError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../../runners/types.ts'
import type { Part } from '../../protocol/model.ts'
import type { Verdict } from '../../core/verdict.ts'
import { failing, type Facts } from '../checkResult.ts'
import { describeReply } from '../reply/describeReply.ts'
import { noAnswer } from '../reply/replyFailures.ts'
import { quote } from '../phrases.ts'
import { findText } from './findText.ts'
import { inTurn, noContext, conversation, together, type MultiTurnOptions } from './sendMessages.ts'

/** Options of `toIsolateContexts()`. */
export type IsolateContextsOptions = MultiTurnOptions & {
  /** What tells the secret: `{secret}` stands for it. Default: a request to remember a code word. */
  tell?: MessageInput | ((secret: string) => MessageInput)
  /** What asks for it. Default: the question for that code word. */
  ask?: MessageInput
  /** What must not get out. Default: a random code word. */
  secret?: string
}

const usualTell = 'Please remember this code word, I will ask you for it later: {secret}'
const usualAsk = 'Which code word did I ask you to remember?'

/**
 * Tells a secret in one context and asks for it in another: it must not come out. Then asks where it was told, for an agent that
 * forgets everything keeps every secret. Source: A2A 1.0 §3.4.1; `MT-08` has no other test.
 */
export async function checkIsolateContexts(
  agent: A2AAgent,
  [options = {}]: readonly [options?: IsolateContextsOptions],
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
      `the option "ask" of toIsolateContexts() gives ${quote(secret)} away.`,
      {
        fix: 'Ask without the secret, so that only an agent that knows it can say it.',
      },
    )
  }
  const hope = `${quote(secret)}, told in one context, to stay unknown in another`
  return conversation(agent, options, budget, hope, async ({ say, note }) => {
    const told = await say(tell)
    const unheard = noAnswer(told)
    if (unheard !== undefined) return inTurn(unheard, 'telling the secret')

    const elsewhere = await say(ask)
    const failures = [sameContext(told, elsewhere), leak(elsewhere, secret)].filter(
      (one) => one !== undefined,
    )
    const failure = together(failures) ?? noAnswer(elsewhere)
    if (failure !== undefined) return inTurn(failure, 'asking in another context')

    const received = `in another context ${describeReply(elsewhere)}`
    if (told.contextId === undefined) {
      note(
        noContext(
          'the first reply names no contextId, so the agent cannot be asked where it was told the secret',
        ),
      )
      return { outcome: 'passed', received }
    }
    const back = await say(ask, { after: told, contextId: told.contextId })
    const silent = noAnswer(back)
    if (silent !== undefined) return inTurn(silent, 'asking where the secret was told')
    const known = findText(answerOf(back), secret) !== undefined
    return {
      outcome: 'passed',
      received: `${received}; where it was told ${describeReply(back)}`,
      findings: known ? [] : [forgotten(secret)],
    }
  })
}

/** A word that no agent says by chance, and that survives being written in another case. */
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
    'the option "tell" of toIsolateContexts() does not tell the secret, so that nothing could get out.',
    {
      fix: 'Write {secret} where it is to stand, or give a function: tell: (secret) => `The code is ${secret}`.',
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

/** Everything that a reply carries: its history too may be another's. */
function answerOf({ task, message, progress, data, text }: Reply): unknown {
  return { text, data, progress, ...(task && { task }), ...(message && { message }) }
}

function leak(reply: Reply, secret: string): Facts | undefined {
  const where = findText(answerOf(reply), secret)
  if (where === undefined) return undefined
  return failing('conversation/leak', `${quote(secret)} came out (${where}): ${describeReply(reply)}`, {
    fix: 'Keep what was said by contextId, and start with nothing where a message names no context.',
  })
}

function sameContext(told: Reply, elsewhere: Reply): Facts | undefined {
  const { contextId } = told
  if (contextId === undefined || contextId !== elsewhere.contextId) return undefined
  return failing(
    'conversation/shared-context',
    `two messages without a contextId were both put into context ${contextId}`,
    {
      fix: 'Open a new context, with an id of its own, for every message that names none.',
    },
  )
}

function forgotten(secret: string): Finding {
  return finding(
    'conversation/not-remembered',
    `the agent does not say ${quote(secret)} where it was told, either; so that it keeps it from others proves nothing`,
  )
}
