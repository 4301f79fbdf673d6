import { createAgent } from '../../src/agent/handle.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import type { AgentOptions } from '../../src/client/types.ts'
import { passConversation, type PassTools } from '../../src/conversation/passConversation.ts'
import { planConversation } from '../../src/conversation/planConversation.ts'
import { runConversation, type RunTools } from '../../src/conversation/runConversation.ts'
import type {
  ConversationOptions,
  ConversationResult,
  PassConversationOptions,
} from '../../src/conversation/types.ts'
import type { ConversationRun } from '../../src/transcript/types.ts'
import { systemDeps, type Deps } from '../../src/core/deps.ts'
import type { ModelCalls, ModelRequest } from '../../src/model/types.ts'
import { scriptedModel, type ScriptedModel } from '../../src/model/scripted.ts'
import { startAgentFrom } from '../../examples/agents/agentFrom.ts'
import type { Respond } from '../../examples/agents/task.ts'
import type { DemoAgent, DemoOptions } from '../../examples/agents/wire.ts'

/** Dependencies without an environment, so that no model is found by chance. */
export function quietDeps(overrides: Partial<Deps> = {}): Deps {
  let ids = 0
  return systemDeps({ env: {}, id: () => `id-${++ids}`, ...overrides })
}

/** An agent for one test: the demo agent and a handle on it, closed together. */
export interface TestAgent extends AsyncDisposable {
  agent: A2AAgent
  demo: DemoAgent
  /** The messages that the agent was sent, oldest first. */
  sent(): { parts: unknown[]; contextId?: string; taskId?: string; metadata?: unknown }[]
}

export async function openTestAgent(
  starting: Promise<DemoAgent>,
  options: AgentOptions = {},
  deps: Deps = quietDeps(),
): Promise<TestAgent> {
  const demo = await starting
  const agent = createAgent(demo.url, options, deps)
  const close = async (): Promise<void> => {
    await agent.close()
    await demo.close()
  }
  return {
    agent,
    demo,
    sent: () =>
      agent.exchanges
        .filter(({ method }) => method === 'POST')
        .map(
          ({ requestBody = '{}' }) =>
            (JSON.parse(requestBody) as { params?: { message?: object } }).params?.message,
        )
        .filter((message) => message !== undefined) as ReturnType<TestAgent['sent']>,
    close,
    [Symbol.asyncDispose]: close,
  } as TestAgent
}

/** An agent that answers by a function. */
export function answering(
  respond: Respond,
  options: DemoOptions & { dialect?: '0.3' | '1.0' } = {},
): Promise<TestAgent> {
  return openTestAgent(startAgentFrom({ respond, ...options }))
}

/** A task that ends with these words. */
export function* done(text: string): Iterable<{ state: 'completed'; text: string }> {
  yield { state: 'completed', text }
}

/** Runs a conversation without judging it; no models unless given. */
export async function converseWith(
  agent: A2AAgent,
  options: ConversationOptions,
  tools: Partial<RunTools> = {},
): Promise<ConversationRun> {
  const { plan, warnings } = planConversation('converse', options)
  const { run } = await runConversation(agent, plan, {
    calls: fakeCalls({}),
    trial: 1,
    deps: quietDeps(),
    signal: new AbortController().signal,
    criteria: [],
    ...tools,
  })
  return { ...run, warnings: [...warnings, ...run.warnings] }
}

/** What was said, one line an entry: `1 user: Hello`. */
export const spoken = ({ entries }: ConversationRun): string[] =>
  entries.map(({ turn, from, text }) => `${turn} ${from}: ${text}`)

/** Runs and judges conversations without saving them. */
export function pass(
  agent: A2AAgent,
  options: PassConversationOptions,
  tools: Partial<PassTools> = {},
): Promise<ConversationResult> {
  return passConversation(agent, options, {
    deps: quietDeps(),
    signal: new AbortController().signal,
    ...tools,
  })
}

/** A simulated user that says these things, and then has what it wants. */
export function user(...messages: readonly (string | { status: string } | Error)[]): ScriptedModel {
  return scriptedModel(
    [...messages, { status: 'goal_reached' }].map((one) =>
      one instanceof Error
        ? one
        : typeof one === 'string'
          ? { thought: 'private', status: 'continue', message: one }
          : { thought: 'private', message: null, ...one },
    ),
    { id: 'user-model' },
  )
}

/** A judge that finds every criterion met, quoting the last answer, unless a verdict is given by its key. */
export function judge(verdicts: Readonly<Record<string, 'met' | 'not_met' | 'unknown'>> = {}): ScriptedModel {
  return scriptedModel((request) => judgement(request, verdicts), { id: 'judge-model' })
}

function judgement(request: ModelRequest, verdicts: Readonly<Record<string, string>>): object {
  const text = request.messages.map(({ content }) => content).join('\n')
  const lines = [...text.matchAll(/^\{"turn":.*\}$/gm)].map(
    ([line]) => JSON.parse(line) as { turn: number; from: string; text?: string },
  )
  const last = lines.findLast(({ from, text: said }) => from === 'agent' && said !== undefined && said !== '')
  const properties = request.schema?.definition['properties'] as {
    verdicts: { properties: Record<string, unknown> }
  }
  return {
    verdicts: Object.fromEntries(
      Object.keys(properties.verdicts.properties).map((key) => [
        key,
        {
          evidence: last === undefined ? [] : [{ turn: last.turn, quote: last.text }],
          reason: 'As the words say.',
          verdict: verdicts[key] ?? 'met',
        },
      ]),
    ),
    injection: { found: false, turn: null },
  }
}

/** Model calls by role, for code that uses `ModelCalls` directly. */
export function fakeCalls(
  models: Partial<Record<'simulator' | 'judge' | 'check', ScriptedModel>>,
): ModelCalls {
  const usage = { unreported: 0 }
  return {
    idOf: async (role) => models[role]?.id,
    ask(request) {
      const model = models[request.role]
      if (model === undefined) throw new Error(`there is no model for the ${request.role}`)
      return model.generate(request)
    },
    agentAnswer: (_place, _message, live) => live(),
    usage,
    replay: { simulator: 0, judge: 0, check: 0, agent: 0, live: 0 },
    warnings: [],
    close: () => Promise.resolve(),
  }
}
