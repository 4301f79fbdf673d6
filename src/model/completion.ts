import { A2AModelError } from '../core/errors.ts'
import { called, quoted, readRefusal, type Refusal, type Served } from './refusal.ts'
import type { ModelAnswer } from './types.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The refusal in an answer with status 200: routers send that status before their provider answers. */
export function refusalWithin(completion: unknown): Refusal | undefined {
  const error = isRecord(completion) ? completion['error'] : undefined
  if (error === undefined || error === null) return undefined
  const code = isRecord(error) ? Number(error['code']) : Number.NaN
  // Without a status it is treated like a bad request.
  return readRefusal(code >= 400 && code < 600 ? code : 400, JSON.stringify(completion))
}

/** The answer in a chat completion. Throws A2AModelError `MODEL_ANSWER`, with the raw text if there is any. */
export function answerIn(completion: unknown, served: Served, raw: string): ModelAnswer {
  if (!isRecord(completion)) throw noCompletion(served, raw)
  const choice: unknown = Array.isArray(completion['choices']) ? completion['choices'][0] : undefined
  if (!isRecord(choice) || !isRecord(choice['message'])) throw noCompletion(served, raw)
  const text = textOf(choice['message']['content'])
  const { refusal } = choice['message']
  if (typeof refusal === 'string' && refusal !== '') throw declinedError(refusal, served)
  const finish = choice['finish_reason']
  if (finish === 'length' || finish === 'content_filter') throw unfinishedError(finish, text, served)
  const usage = usageIn(completion['usage'])
  return { text, ...(usage !== undefined && { usage }) }
}

/** The error for a model that refuses to answer. */
function declinedError(refusal: string, served: Served): A2AModelError {
  return new A2AModelError(
    'MODEL_ANSWER',
    `${called(served)} declined to answer: ${quoted(refusal, served.secrets)}.`,
    {
      fix: 'Change what it objects to in the persona, the goal or the criteria, or use another model.',
      raw: refusal,
    },
  )
}

/** The error for an answer that is not complete. */
export function unfinishedError(
  finish: 'length' | 'content_filter',
  text: string,
  served: Served,
): A2AModelError {
  return finish === 'length'
    ? new A2AModelError(
        'MODEL_ANSWER',
        `${called(served)} did not finish its answer: it reached its token limit.`,
        {
          fix: 'Use a model with a higher limit of output tokens, or ask for less.',
          raw: text,
        },
      )
    : new A2AModelError('MODEL_ANSWER', `the answer of ${called(served)} was stopped by a content filter.`, {
        fix: 'Change what the filter objects to in the persona, the goal or the criteria, or use another model.',
        raw: text,
      })
}

function noCompletion(served: Served, raw: string): A2AModelError {
  const said = raw.trim() === '' ? 'nothing' : quoted(raw, served.secrets)
  return new A2AModelError('MODEL_ANSWER', `${called(served)} sent ${said} instead of a chat completion.`, {
    fix: served.nameFix,
    raw,
  })
}

/** Some servers send the text in parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

function usageIn(usage: unknown): ModelAnswer['usage'] {
  if (!isRecord(usage)) return undefined
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage
  return typeof inputTokens === 'number' && typeof outputTokens === 'number'
    ? { inputTokens, outputTokens }
    : undefined
}
