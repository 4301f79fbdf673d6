import type { CardObject, CardVersion } from '../types.ts'
import { isObject } from '../values.ts'
import { canonicalJson, pythonJson } from './canonical.ts'
import { project, withoutEmpty } from './project.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'

/** The forms of a card that signers in the field sign, in the order in which they are tried. */
export type FormName =
  'spec' | 'sdk' | 'js-memory' | 'py-ascii' | 'py-floats' | 'raw' | 'raw-clean' | 'raw-ascii' | 'py-0.3'

/** What each form is: completes "it was made over …". */
export const formTexts: Readonly<Record<FormName, string>> = {
  spec: 'the card as A2A 1.0 §8.4.1 has it signed',
  sdk: 'the card without its empty members, as the SDKs for JavaScript and Python sign it',
  'js-memory':
    'the card without its securitySchemes, as the SDK for JavaScript signs a card that it holds in memory',
  'py-ascii': 'the card without its empty members and in ASCII, as the SDK for Python 1.0 signs it',
  'py-floats':
    'the card without its empty members, in ASCII and with whole numbers as floats, as the SDK for Python 1.0 signs it',
  raw: 'the document as it is served, in the canonical form of RFC 8785, as the SDK for Go signs it',
  'raw-clean': 'the document as it is served, without its empty members',
  'raw-ascii': 'the document as it is served, without its empty members and in ASCII',
  'py-0.3':
    'the card without its empty members and defaults and in ASCII, as the SDK for Python signs A2A 0.3',
}

/** One way to write the card before signing it. */
export interface Form {
  name: FormName
  payload: string
  /** Paths of the members that a signature over this form does not cover. */
  uncovered: string[]
}

/** What a signed card is made from. */
export interface SignedDocument {
  /** As parsed. */
  raw: CardObject
  /** As read: null and `$case` gone, names in camelCase. */
  card: CardObject
  /** Version whose rules judge the card; absent when that is unclear. */
  version?: CardVersion
}

/** The forms that a signature of this card may have been made over, each text once. */
export function formsOf(document: SignedDocument): Form[] {
  const forms: Form[] = []
  for (const form of everyForm(document)) {
    if (!forms.some(({ payload }) => payload === form.payload)) forms.push(form)
  }
  return forms
}

/**
 * All forms by name, those that come to the same text, too. A card of 0.x is no card of 1.0 with members missing: of it, only the
 * document as served counts.
 */
export function everyForm({ raw, card, version }: SignedDocument): Form[] {
  const forms: Form[] = []
  const add = (name: FormName, write: () => string, uncovered: string[] = []): void => {
    try {
      forms.push({ name, payload: write(), uncovered })
    } catch {
      // What has no canonical form, or is nested too deeply to be written, cannot have been signed in it.
    }
  }
  const { signatures: _, ...served } = raw
  const mayBe = (isDefined: boolean): boolean =>
    version === undefined || profileOf(version).card.definesSignedForm === isDefined
  if (mayBe(true)) {
    const { card: projected, uncovered } = project(card)
    const memory = (): CardObject => {
      const { securitySchemes: _schemes, ...others } = clean(projected)
      return others
    }
    add('spec', () => canonicalJson(projected), uncovered)
    add('sdk', () => canonicalJson(clean(projected)), uncovered)
    add('js-memory', () => canonicalJson(memory()), ['securitySchemes', ...uncovered])
    add('py-ascii', () => pythonJson(clean(projected), { floats: false }), uncovered)
    add('py-floats', () => pythonJson(clean(projected), { floats: true }), uncovered)
  }
  add('raw', () => canonicalJson(served))
  add('raw-clean', () => canonicalJson(clean(served)))
  add('raw-ascii', () => pythonJson(clean(served), { floats: false }))
  if (mayBe(false)) add('py-0.3', () => pythonJson(withoutDefaults03(clean(served)), { floats: false }))
  return forms
}

function clean(card: CardObject): CardObject {
  const cleaned = withoutEmpty(card)
  return isObject(cleaned) ? cleaned : {}
}

const types03: ReadonlySet<unknown> = new Set(['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'])

/** Without what the models of the SDK for Python have as a default. */
function withoutDefaults03({ securitySchemes, ...card }: CardObject): CardObject {
  const entries = Object.entries(card).filter(
    ([name, value]) =>
      !(name === 'protocolVersion' && value === '0.3.0') &&
      !(name === 'preferredTransport' && value === 'JSONRPC'),
  )
  const others = Object.fromEntries(entries)
  if (securitySchemes === undefined) return others
  if (!isObject(securitySchemes)) return { ...others, securitySchemes }
  const schemes = Object.entries(securitySchemes).map(([name, scheme]) => {
    if (!isObject(scheme) || !types03.has(scheme['type'])) return [name, scheme] as const
    const { type: _, ...members } = scheme
    return [name, members] as const
  })
  return { ...others, securitySchemes: Object.fromEntries(schemes) }
}
