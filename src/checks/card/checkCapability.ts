import { plainText } from '../../core/guards.ts'
import type { CapabilityName } from '../options.ts'
import type { Subject } from '../../agent/subject.ts'
import type { CardObject, CardVersion } from '../../card/types.ts'
import type { Verdict } from '../verdict.ts'
import { failing, verdictOn, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult } from './cardOf.ts'
import { didYouMean, isRecord, quote, show } from '../phrases.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'

/** Looks for a capability in the card, or for an extension if the name is a URI. */
export async function checkCapability(subject: Subject, [name]: readonly [name: string]): Promise<Verdict> {
  const extension = name.includes(':')
  const what = extension ? `the extension ${quote(name)}` : `the capability ${name}`
  return verdictOn(subject, `a card that advertises ${what}`, async () => {
    const found = await cardOf(subject)
    const read = cardOrResult(found)
    if ('result' in read) return read.result
    if (extension) return judgeExtension(read.card, name)
    const { shape } = found.report
    return judge(read.card, name as CapabilityName, shape.kind === 'card' ? shape.version : undefined)
  })
}

function judge(card: CardObject, name: CapabilityName, version: CardVersion | undefined): CheckResult {
  const capabilities = isRecord(card.capabilities) ? card.capabilities : {}
  // Before 1.0 this flag was a member of the card itself.
  const legacy = name === 'extendedAgentCard' && capabilities[name] === undefined
  const path =
    legacy && card.supportsAuthenticatedExtendedCard !== undefined
      ? 'supportsAuthenticatedExtendedCard'
      : `capabilities.${name}`
  const value = path === 'supportsAuthenticatedExtendedCard' ? card[path] : capabilities[name]
  if (value === true) return { outcome: 'passed', received: `${path} is true` }
  const gone = version !== undefined && profileOf(version).card.removedCapabilities.includes(name)
  return failing(
    'card/no-capability',
    value === undefined ? `no ${path}, which means false` : `${path} is ${show(value)}`,
    gone ? { fix: `A2A ${version} no longer has this capability.` } : {},
  )
}

function judgeExtension(card: CardObject, uri: string): CheckResult {
  const capabilities = isRecord(card.capabilities) ? card.capabilities : {}
  const extensions = Array.isArray(capabilities.extensions) ? capabilities.extensions.filter(isRecord) : []
  const uris = extensions.map((extension) => plainText(extension.uri))
  const at = uris.indexOf(uri)
  if (at >= 0) {
    const required = extensions[at]?.required === true ? ', which it requires' : ''
    return { outcome: 'passed', received: `capabilities.extensions[${at}]${required}` }
  }
  return failing(
    'card/no-extension',
    uris.length === 0
      ? 'a card without extensions'
      : `a card with the extensions ${uris.map((known) => quote(known)).join(', ')}.${didYouMean(uri, uris)}`,
  )
}
