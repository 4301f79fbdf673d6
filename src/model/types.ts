/** What a model is asked for: to play the user, to judge a conversation, or to check how the user was played. */
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
  /** JSON Schema that the answer must fit. Models that cannot be held to it are told it, and checked all the same. */
  schema?: { name: string; definition: Readonly<Record<string, unknown>> }
  /** Left out where the model decides. */
  temperature?: number
  maxTokens?: number
  seed?: number
  /** A random mark that stands in the texts; cassettes take its value for no difference. */
  nonce?: string
  signal: AbortSignal
}

/** Tokens that one or several calls took. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}

/** What a model answered. */
export interface ModelAnswer {
  text: string
  /** The answer as data, where the model gave it as such; else it is read from `text`. */
  json?: unknown
  /** Absent where the model does not say; it is never taken for 0 then. */
  usage?: Usage
}

/** A language model, wherever it runs. */
export interface Model {
  /** Its name in reports and cassettes: `gpt-5-mini`. */
  readonly id: string
  /** Who serves it; calls to one provider share one limit. Default: the id. */
  readonly provider?: string
  /** True for a model that costs nothing and answers the same each time; cassettes and limits leave it alone. */
  readonly scripted?: true
  /** Throws A2AModelError; of any other error the message is shown. */
  generate(request: ModelRequest): Promise<ModelAnswer>
}

/** A model as a plain function: a request in, text or an answer out. */
export type ModelFunction = (
  request: ModelRequest,
) => string | ModelAnswer | Promise<string> | Promise<ModelAnswer>

/** The part of a model object of the AI SDK (`specificationVersion` v2 and v3) that is called. */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
}

/** A model as a test names it: the name of one at the OpenAI-compatible endpoint, an object, a function, or one of the AI SDK. */
export type ModelChoice = string | Model | ModelFunction | AiSdkModel

/** Which call of a test this is; with the role, what a cassette keeps it under. */
export interface CallPlace {
  /** From 1. */
  trial: number
  /** From 1: the user message that is asked for. For the judge and the check: the number of turns of the conversation. */
  turn: number
  /** From 1: tries of a simulated message, votes and re-asks of the judge. */
  attempt: number
}

/** Tokens by role. `agent` is absent where the agent does not report any. */
export interface UsageByRole {
  simulator?: Usage
  judge?: Usage
  check?: Usage
  agent?: Usage
  /** Calls that did not say what they took. */
  unreported: number
  /** By the price function that was given; absent without one. */
  usd?: number
}

/** How many answers came from a cassette, and how many calls really went out. */
export interface ReplayCount {
  simulator: number
  judge: number
  check: number
  agent: number
  live: number
}

/** The models of one test: limited, budgeted, and played from or to a cassette. */
export interface ModelCalls {
  /** The model of a role, for reports; undefined if none is configured, which is an error only in `ask`. */
  idOf(role: ModelRole): Promise<string | undefined>
  /**
   * Asks the model of the request's role. Throws A2AModelError: `NO_MODEL`, `MODEL_UNAVAILABLE` (after retries), `MODEL_REFUSED`,
   * `BUDGET`, `CASSETTE_MISS`; A2AUsageError `MISSING_PACKAGE`; the reason of an aborted signal.
   */
  ask(request: ModelRequest, place: CallPlace): Promise<ModelAnswer>
  /** What the agent said in a turn: from the cassette where that was asked for, else by `live()`, and recorded. */
  hear<T>(place: CallPlace, message: unknown, live: () => Promise<T>): Promise<T>
  readonly usage: UsageByRole
  readonly replay: ReplayCount
  /** Things to tell beside the result: recordings that nothing used, an agent that was replayed. */
  readonly warnings: readonly string[]
  /** Ends the test: writes the cassette where one is recorded, with the outcome as its label. */
  close(outcome: string): Promise<void>
}

/** What a cassette does: nothing, write, play strictly, or play and record what is missing. */
export type CassetteMode = 'off' | 'record' | 'replay' | 'refresh-misses'

/** Options of cassettes. */
export interface CassetteOptions {
  /** Default: `A2A_CASSETTES`, else `replay` in CI where the folder exists, else `off`. */
  mode?: CassetteMode
  /** Default `a2a-cassettes`, in the working directory. */
  folder?: string
  /** File to use instead of one named after the test; relative to the folder. */
  file?: string
  /** Also keep and play what the agent said, so that no agent is asked. Default false. */
  agent?: boolean
  /** `live` asks the judge afresh, over a conversation that is played. Default: as the mode says. */
  judge?: 'live'
  /** Last word on every text before it is written; credentials are taken out anyway. */
  redact?: (text: string) => string
}

/** Where a test stops asking models. */
export interface BudgetOptions {
  /** Input and output tokens of all roles together. */
  tokens?: number
  /** US dollars; needs `price`. */
  usd?: number
}

/** What one call cost in US dollars; undefined where that is not known. */
export type PriceFunction = (call: { role: ModelRole; model: string; usage: Usage }) => number | undefined

/** How the user is simulated. */
export interface SimulatorOptions {
  /** Default: `A2A_SIMULATOR_MODEL`, else the one of `configureA2A`. */
  model?: ModelChoice
  /** Default 0.7. */
  temperature?: number
  /** When a second look at the simulated user is taken: its faults make a conversation invalid. Default `on-failure`. */
  check?: 'on-failure' | 'always' | 'never'
}

/** How conversations are judged. */
export interface JudgeOptions {
  /** Default: `A2A_JUDGE_MODEL`, else the one of `configureA2A`. */
  model?: ModelChoice
  /** Default 0. */
  temperature?: number
  /** Default `auto`: one vote, two more where the first does not settle it. */
  votes?: 'auto' | 1 | 3 | 5
  /** After an injection was found: asks again with a criterion that is false, which only a steered judge finds met. Default false. */
  counterfactual?: boolean
}

/** What `configureA2A()` takes; environment variables weigh more, options of a call most. */
export interface A2AConfiguration {
  /** For the simulator and the judge, where they name none. */
  model?: ModelChoice
  simulator?: SimulatorOptions
  judge?: JudgeOptions
  cassettes?: CassetteMode | CassetteOptions
  budget?: BudgetOptions
  price?: PriceFunction
  /** Calls to one provider at the same time, in each worker. Default 4. */
  concurrency?: number
  /** How often a call that met a 408, 409, 429, 5xx or network error is tried again. Default 4. */
  retries?: number
  /** Where transcripts are written. Default `.a2a-conversations`; false writes none. */
  folder?: string | false
}
