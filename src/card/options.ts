import { A2AUsageError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { rules } from './rules/index.ts'
import type { CardOptions } from './types.ts'
import { isObject, isStringList, listed, show } from './values.ts'

const allowed: Readonly<Record<keyof CardOptions, readonly string[] | undefined>> = {
  rules: undefined,
  failOn: ['error', 'warning', 'never'],
  version: ['0.1', '0.2', '0.3', '1.0'],
  bindings: undefined,
}
const ruleLevels = ['off', 'note', 'warning', 'error']

/**
 * Checks the options of a card check, other keys left alone. Throws A2AUsageError `BAD_OPTIONS` that names the option, the
 * value and what is allowed; an unknown rule id gets the nearest one.
 */
export function checkCardOptions(options: CardOptions): void {
  for (const name of ['failOn', 'version'] as const) {
    const value = options[name]
    const values = allowed[name] ?? []
    if (value !== undefined && !values.includes(value)) {
      throw bad(`option ${name} is ${show(value)}, but must be one of ${quoted(values)}`)
    }
  }
  if (options.bindings !== undefined && (!isStringList(options.bindings) || options.bindings.length === 0)) {
    throw bad(
      `option bindings must be a list such as ['JSONRPC', 'HTTP+JSON'], not ${show(options.bindings)}`,
    )
  }
  if (options.rules !== undefined) checkLevels(options.rules)
}

function checkLevels(levels: unknown): void {
  if (!isObject(levels)) {
    throw bad(`option rules must be an object such as {'card/skill-tags': 'off'}, not ${show(levels)}`)
  }
  const ids = rules.map((rule) => rule.id)
  for (const [id, level] of Object.entries(levels)) {
    if (!ids.includes(id)) {
      const near = nearest(id, ids) ?? nearest(`card/${id}`, ids)
      const hint = near === undefined ? 'docs/rules.md lists them all' : `did you mean ${show(near)}?`
      throw bad(`option rules names ${show(id)}, which is no card rule`, hint)
    }
    if (!ruleLevels.includes(String(level))) {
      throw bad(
        `option rules sets ${show(id)} to ${show(level)}, but a level is one of ${quoted(ruleLevels)}`,
      )
    }
  }
}

function quoted(values: readonly string[]): string {
  return listed(values.map((value) => `'${value}'`))
}

/** The hint is part of the sentence, so it is no fix besides. */
function bad(message: string, hint?: string): A2AUsageError {
  return new A2AUsageError('BAD_OPTIONS', hint === undefined ? message : `${message}; ${hint}`)
}
