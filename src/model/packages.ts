import type * as Undici from 'undici'
import { A2AUsageError } from '../core/errors.ts'
import { loadOutside } from '../core/loadOutside.ts'

/** What is used of the package `openai`, in each of its versions. */
export interface OpenAIPackage {
  OpenAI: new (options: Record<string, unknown>) => {
    chat: { completions: { create(body: Record<string, unknown>): PromiseLike<unknown> } }
  }
}

/** Loads the packages that call an endpoint; replaced in tests. */
export interface ModelPackages {
  openai(): Promise<OpenAIPackage>
  undici(): Promise<typeof Undici>
}

/** Both are loaded outside of any sandbox: its timers, `fetch` and window belong to what is tested there. */
export const modelPackages: ModelPackages = {
  openai: () => loadOpenAI(() => import('openai')),
  undici: async () => (loadOutside('undici') as typeof Undici | undefined) ?? import('undici'),
}

/** Throws A2AUsageError `MISSING_PACKAGE` if it is not installed. */
export async function loadOpenAI(
  load: () => Promise<unknown>,
  outside: (name: string) => unknown = loadOutside,
): Promise<OpenAIPackage> {
  let found: unknown = outside('openai')
  try {
    found ??= await load()
  } catch (cause) {
    const code = String((cause as { code?: unknown } | null)?.code)
    // Vite and Vitest have no error code for it.
    const missing =
      code.endsWith('MODULE_NOT_FOUND') ||
      /(find|resolve|load) (package|module|import|url)/i.test(String(cause))
    throw missing ? missingPackage(cause) : brokenPackage(cause)
  }
  const { OpenAI, default: fallback } = found as { OpenAI?: unknown; default?: unknown }
  const made = OpenAI ?? fallback
  if (typeof made !== 'function') throw brokenPackage(undefined)
  return { OpenAI: made as OpenAIPackage['OpenAI'] }
}

function missingPackage(cause: unknown): A2AUsageError {
  return new A2AUsageError('MISSING_PACKAGE', 'a model configured by name needs the package "openai".', {
    fix: 'Install it: npm install --save-dev openai. Or pass the model as a function, `async (request) => text`, or as a model object of the AI SDK: neither needs it.',
    cause,
  })
}

function brokenPackage(cause: unknown): A2AUsageError {
  const why = cause === undefined ? 'it exports no OpenAI' : (cause as { message?: unknown }).message
  return new A2AUsageError('MISSING_PACKAGE', `the package "openai" cannot be loaded: ${String(why)}.`, {
    fix: 'Install version 5 or later: npm install --save-dev openai.',
    cause,
  })
}
