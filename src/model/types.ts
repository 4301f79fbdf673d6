/** What a model is called for: to simulate the user, to judge a conversation, or to check the simulated user. */
export type ModelRole = 'simulator' | 'judge' | 'check'

/** One message of a request. */
export interface ModelMessage {
  role: 'user' | 'assistant'
  content: string
}

/** One request to a language model. */
export interface ModelRequest {
  role: ModelRole
  system: string
  messages: readonly ModelMessage[]
  /** JSON Schema of the answer. Models that do not support schemas get it in words; the answer is checked in any case. */
  schema?: { name: string; definition: Readonly<Record<string, unknown>> }
  /** Default: the model's own. */
  temperature?: number
  maxTokens?: number
  seed?: number
  /** A random mark in the texts; cassettes ignore its value. */
  nonce?: string
  signal: AbortSignal
}

/** Tokens that calls used. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}

/** What a model answered. */
export interface ModelAnswer {
  text: string
  /** The answer as data, if the model returned data; otherwise it is read from `text`. */
  json?: unknown
  /** Absent if the model does not report it; it does not count as 0 then. */
  usage?: Usage
}

/** A language model. */
export interface Model {
  /** Its name in reports and cassettes: `gpt-5-mini`. */
  readonly id: string
  /** Who serves it; calls to one provider share one limit. Default: the id. */
  readonly provider?: string
  /** True for a model that costs nothing and always answers the same; cassettes and limits ignore it. */
  readonly scripted?: true
  /** Throws A2AModelError; of other errors, the message is shown. */
  generate(request: ModelRequest): Promise<ModelAnswer>
}

/** A model as a function from a request to text or an answer. */
export type ModelFunction = (
  request: ModelRequest,
) => string | ModelAnswer | Promise<string> | Promise<ModelAnswer>

/** What is used of a model object of the AI SDK (`specificationVersion` v2 and later). */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
}

/** How a test names a model: the name of one at the OpenAI-compatible endpoint, an object, a function, or one of the AI SDK. */
export type ModelChoice = string | Model | ModelFunction | AiSdkModel

/** Which call of a test this is; with the role, its key in a cassette. */
export interface CallPlace {
  /** From 1. */
  trial: number
  /** From 1: the user message to be written. For the judge and the check: the number of turns of the conversation. */
  turn: number
  /** From 1: tries of a simulated message; votes and repeated questions of the judge. */
  attempt: number
}

/** Tokens by role. `agent` is absent if the agent does not report any. */
export interface UsageByRole {
  simulator?: Usage
  judge?: Usage
  check?: Usage
  agent?: Usage
  /** Calls that did not report their usage. */
  unreported: number
  /** According to `price`; absent without it. */
  usd?: number
}

/** How many answers came from a cassette, and how many calls were made. */
export interface ReplayCount {
  simulator: number
  judge: number
  check: number
  agent: number
  live: number
}

/** The models of one test: limited, within a budget, and replayed from or recorded to a cassette. */
export interface ModelCalls {
  /** The model of a role, for reports; undefined if none is configured, which is an error only in `ask`. */
  idOf(role: ModelRole): Promise<string | undefined>
  /**
   * Asks the model of the request's role. Throws A2AModelError: `NO_MODEL`, `MODEL_UNAVAILABLE` (after retries), `MODEL_REFUSED`,
   * `BUDGET`, `CASSETTE_MISS`; A2AUsageError `MISSING_PACKAGE`; the reason of an aborted signal.
   */
  ask(request: ModelRequest, place: CallPlace): Promise<ModelAnswer>
  /** What the agent answered in a turn: from the cassette, if it covers the agent, else from `live()`, and recorded. */
  agentAnswer<T>(place: CallPlace, message: unknown, live: () => Promise<T>): Promise<T>
  readonly usage: UsageByRole
  readonly replay: ReplayCount
  /** To report with the result: unused recordings, a replayed agent. */
  readonly warnings: readonly string[]
  /** Ends the test: writes the cassette if it is recorded, labelled with the outcome. */
  close(outcome: string): Promise<void>
}

/** What a cassette does: nothing, record, replay strictly, or replay and record what is missing. */
export type CassetteMode = 'off' | 'record' | 'replay' | 'refresh-misses'

/** Options of cassettes. */
export interface CassetteOptions {
  /** Default: `A2A_CASSETTES`, else `replay` in CI if the folder exists, else `off`. */
  mode?: CassetteMode
  /** Default `a2a-cassettes`, in the working directory. */
  folder?: string
  /** The file, instead of one named after the test; relative to the folder. */
  file?: string
  /** Also records and replays the agent's answers, so that the agent is not called. Default false. */
  agent?: boolean
  /** `live` calls the judge, even if the conversation is replayed. Default: according to the mode. */
  judge?: 'live'
  /** Changes every text before it is written; credentials are removed in any case. */
  redact?: (text: string) => string
}

/** When a test stops calling models. */
export interface BudgetOptions {
  /** Input and output tokens of all roles together. */
  tokens?: number
  /** US dollars; needs `price`. */
  usd?: number
}

/** What one call cost in US dollars; undefined if unknown. */
export type PriceFunction = (call: { role: ModelRole; model: string; usage: Usage }) => number | undefined

/** How the user is simulated. */
export interface SimulatorOptions {
  /** Default: `A2A_SIMULATOR_MODEL`, else the one of `configureA2A`. */
  model?: ModelChoice
  /** Default 0.7. */
  temperature?: number
  /** When the simulated user is checked by a second call: its faults make a conversation invalid. Default `on-failure`. */
  check?: 'on-failure' | 'always' | 'never'
}

/** How conversations are judged. */
export interface JudgeOptions {
  /** Default: `A2A_JUDGE_MODEL`, else the one of `configureA2A`. */
  model?: ModelChoice
  /** Default 0. */
  temperature?: number
  /** Default `auto`: one vote, and two more if the first does not settle the result. */
  votes?: 'auto' | 1 | 3 | 5
  /** After an injection was found: asks again with a false criterion, which only a manipulated judge finds met. Default false. */
  counterfactual?: boolean
}

/** Options of `configureA2A()`; environment variables override them, and options of a call override both. */
export interface A2AConfiguration {
  /** For the simulator and the judge, if they have no model of their own. */
  model?: ModelChoice
  simulator?: SimulatorOptions
  judge?: JudgeOptions
  cassettes?: CassetteMode | CassetteOptions
  budget?: BudgetOptions
  price?: PriceFunction
  /** Calls to one provider at the same time, in each worker. Default 4. */
  concurrency?: number
  /** How often a call is repeated after a 408, 409, 429, 5xx or network error. Default 4. */
  retries?: number
  /** The folder for transcripts. Default `.a2a-conversations`; false writes none. */
  folder?: string | false
}
