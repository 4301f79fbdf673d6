import type { CardObject } from './types.ts'
import { isObject, isText, objectsOf } from './values.ts'

/** True when a document has enough of an agent card to be judged as one. */
export function isAgentCard(card: CardObject): boolean {
  // An MCP initialize result has protocolVersion and capabilities too.
  if (isObject(card['serverInfo'])) return false
  const addressed = isText(card['url']) || nonEmptyList(card['supportedInterfaces'])
  if (Array.isArray(card['skills']) && addressed) return true
  const someCore = isText(card['name']) || addressed || Array.isArray(card['skills'])
  return someCore && hasOwnMark(card)
}

/** True for members that no other format at these paths has. */
function hasOwnMark(card: CardObject): boolean {
  const marks = [
    'protocolVersion',
    'preferredTransport',
    'additionalInterfaces',
    'defaultInputModes',
    'defaultOutputModes',
    'supportsAuthenticatedExtendedCard',
    'securityRequirements',
  ]
  if (marks.some((mark) => card[mark] !== undefined)) return true
  const flags = ['streaming', 'pushNotifications', 'stateTransitionHistory', 'extendedAgentCard']
  const capabilities = card['capabilities']
  if (isObject(capabilities) && flags.some((flag) => typeof capabilities[flag] === 'boolean')) return true
  return properInterfaces(card).length > 0
}

/** The entries of `supportedInterfaces` that are written as 1.0 writes them. */
export function properInterfaces(card: CardObject): { item: CardObject; index: number }[] {
  return objectsOf(card['supportedInterfaces']).filter(
    ({ item }) => isText(item['protocolBinding']) || isText(item['protocolVersion']),
  )
}

function nonEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
