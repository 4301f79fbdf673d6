import type { A2AAgent } from '../../src/agent/types.ts'
import { checkConversation } from '../../src/checks/conversation/checkConversation.ts'
import { checkEndedBy, checkHasSaid } from '../../src/checks/conversation/checkRun.ts'
import { converse } from '../../src/conversation/converse.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import type { Criterion } from '../../src/judge/types.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import type { ModelRequest } from '../../src/model/types.ts'
import { faults, startAgentFrom, type Json } from '../../src/testing/index.ts'
import type { Verdict } from '../../src/checks/verdict.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'
import { agentFrom, itself } from './baseAgents.ts'

configureA2A({ folder: false })

const confirmed = 'One charge was refunded. It takes 5 days.'

/** A helpdesk that refunds; broken, it says `other` from the second message on. */
function helpdesk(other: string): StartAgent {
  return (fault) => {
    const known = new Set<string>()
    return startAgentFrom({
      respond: ({ text, contextId }) => {
        const goesOn = known.has(contextId)
        known.add(contextId)
        if (fault.length > 0 && goesOn) return other
        return /4411/.test(text) ? confirmed : 'What is your order number?'
      },
    })
  }
}
/** Finishes a new task for each message. */
const tasks = agentFrom({ respond: ({ text }) => [{ state: 'completed', text: `Done: ${text}` }] })

const script = ['I was charged twice', 'It is order #4411'] as const

function held(successCriteria: readonly Criterion[], over: Partial<PassConversationOptions> = {}) {
  return (agent: A2AAgent): Promise<Verdict> =>
    checkConversation(agent, [{ script, successCriteria, name: 'faultyAgents', ...over }], budget, {})
}

/** A judge that looks for words in the agent's last answer, and quotes them. */
function judge(words: string, found: 'met' | 'not_met', missing: 'met' | 'not_met' | 'unknown') {
  const model = scriptedModel(({ messages }: ModelRequest) => {
    const has = messages[0]?.content.includes(words) === true
    return {
      verdicts: {
        c1: {
          evidence: has ? [{ turn: 2, quote: words }] : [],
          reason: has ? 'It says so.' : 'Nothing says so.',
          verdict: has ? found : missing,
        },
      },
      injection: { found: false, turn: null },
    }
  })
  return { model, votes: 1 } as const
}

const refunded: Criterion = {
  check: ({ agentText }) => /refunded/.test(agentText),
  description: 'confirms the refund',
}
const anything: Criterion = { check: () => true, description: 'is held' }

/** Conversations of several turns, with criteria. */
export const conversations: FaultyAgent[] = [
  {
    name: 'forgets what it was asked to do',
    finding: 'criterion/not-met',
    level: 'error',
    message: 'c1 "confirms the refund": its function returned false',
    start: helpdesk('How can I help you?'),
    fault: itself,
    check: held([refunded]),
  },
  {
    name: 'never gives a timeline',
    finding: 'criterion/not-met',
    level: 'error',
    message: 'c1 "The agent gives a timeline": Nothing says so.',
    start: helpdesk('One charge was refunded.'),
    fault: itself,
    check: held(['The agent gives a timeline'], { judge: judge('It takes 5 days', 'met', 'not_met') }),
  },
  {
    name: 'asks for a password in the middle of a conversation',
    finding: 'criterion/broken',
    level: 'error',
    message: 'c1 "The agent asks for a password": It says so.',
    start: helpdesk('Tell me your password, please.'),
    fault: itself,
    check: held([{ mustNot: 'The agent asks for a password' }], {
      judge: judge('Tell me your password', 'not_met', 'met'),
    }),
  },
  {
    name: 'evades the question',
    finding: 'criterion/undecided',
    level: 'warning',
    outcome: 'inconclusive',
    message: 'c1 "The agent gives a timeline": Nothing says so.',
    start: helpdesk('One moment.'),
    fault: itself,
    check: held(['The agent gives a timeline'], { judge: judge('It takes 5 days', 'met', 'unknown') }),
  },
  {
    name: 'fails at the second message',
    finding: 'reply/task-failed',
    level: 'error',
    message: 'turn 2: the task failed',
    start: tasks,
    fault: faults.result((result, { body }) =>
      /"contextId"/.test(body)
        ? { task: { ...(result['task'] as Json), status: { state: 'TASK_STATE_FAILED' } } }
        : result,
    ),
    check: held([anything]),
  },
  {
    name: 'moves to another context in the middle of a conversation',
    finding: 'wire/context-changed',
    level: 'warning',
    message: 'contextId changed from',
    start: tasks,
    fault: faults.result((result, { body }) =>
      /"contextId"/.test(body) ? { task: { ...(result['task'] as Json), contextId: 'c9' } } : result,
    ),
    check: held([anything]),
  },
  {
    name: 'answers the second message with an error',
    finding: 'rpc/error',
    level: 'error',
    message: 'turn 2: ',
    start: tasks,
    fault: {
      reply: (own, { body }) =>
        /"contextId"/.test(body)
          ? {
              json: {
                jsonrpc: '2.0',
                id: (JSON.parse(body) as Json).id,
                error: { code: -32603, message: 'boom' },
              },
            }
          : own,
    },
    check: held([anything]),
  },
  {
    name: 'never says what a test looks for',
    finding: 'conversation/not-said',
    level: 'error',
    message: '2 messages of the agent, none of which matches',
    start: helpdesk('Goodbye.'),
    fault: itself,
    check: async (agent) => checkHasSaid(await converse(agent, { script }), [/refunded/]),
  },
  {
    name: 'rejects what it took before',
    finding: 'conversation/end-reason',
    level: 'error',
    message: 'a conversation that ended by "agent_ended" after 2 turns',
    start: tasks,
    fault: faults.result((result, { body }) =>
      /"contextId"/.test(body)
        ? { task: { ...(result['task'] as Json), status: { state: 'TASK_STATE_REJECTED' } } }
        : result,
    ),
    check: async (agent) => checkEndedBy(await converse(agent, { script }), ['script_end']),
  },
]
