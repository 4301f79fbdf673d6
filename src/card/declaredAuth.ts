import { requiredNames, schemesOf } from './security.ts'
import { skillsOf } from './ruleKit.ts'
import type { CardObject } from './types.ts'
import { isObject } from './values.ts'

/** What a card declares about authentication, in any version. */
export interface DeclaredAuth {
  /**
   * `nothing` is declared; schemes are declared, but a client may do `without`; or one is `required`. The schemes of A2A 0.1 are
   * always required.
   */
  kind: 'nothing' | 'without' | 'required'
  /** Names of the schemes that are required, else of all that are declared. */
  schemes: string[]
  /** Why a client may do without: nothing is required at all, one alternative is empty, or only skills require something. */
  why?: 'no-requirement' | 'empty-alternative' | 'skills-only'
}

/** Reads whether a card requires authentication: one alternative is enough, and an empty one lets everybody in (OpenAPI 3.0). */
export function readDeclaredAuth(card: CardObject): DeclaredAuth {
  const declared = [...schemesOf(card).map(({ name }) => name), ...legacySchemes(card)]
  const list = card['securityRequirements'] ?? card['security']
  const alternatives = Array.isArray(list) ? list.map((entry) => Object.keys(requiredNames(entry) ?? {})) : []
  const legacy = legacySchemes(card)
  if (alternatives.length === 0 && legacy.length > 0) return { kind: 'required', schemes: legacy }
  if (alternatives.length > 0) {
    const named = [...new Set(alternatives.flat())]
    if (alternatives.every((names) => names.length > 0)) return { kind: 'required', schemes: named }
    if (declared.length > 0) return { kind: 'without', schemes: declared, why: 'empty-alternative' }
  }
  if (declared.length === 0) return { kind: 'nothing', schemes: [] }
  const bySkill = skillsOf(card).some(({ skill }) =>
    [skill['securityRequirements'], skill['security']].some((one) => Array.isArray(one) && one.length > 0),
  )
  return { kind: 'without', schemes: declared, why: bySkill ? 'skills-only' : 'no-requirement' }
}

/** A2A 0.1: `{"authentication": {"schemes": ["bearer"]}}`, free text. */
export function legacySchemes(card: CardObject): string[] {
  const { authentication } = card
  const names = isObject(authentication) ? authentication['schemes'] : undefined
  return Array.isArray(names)
    ? names.filter((name): name is string => typeof name === 'string' && name !== '')
    : []
}
