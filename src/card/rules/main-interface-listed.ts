import { mainBinding } from '../offers.ts'
import type { Rule } from '../types.ts'
import { bindingKey, isText, objectsOf, show } from '../values.ts'

export const mainInterfaceListed: Rule = {
  id: 'card/main-interface-listed',
  levels: { '0.3': 'warning' },
  summary: '`additionalInterfaces`, if present, repeats the main `url` with its transport.',
  fix: 'Add the main url and its transport to additionalInterfaces.',
  source: 'A2A 0.3 §5.6.2',
  check(card, report) {
    const entries = objectsOf(card['additionalInterfaces'])
    const binding = bindingKey(mainBinding(card))
    if (entries.length === 0 || !isText(card['url'])) return
    const repeated = entries.some(
      ({ item }) => item['url'] === card['url'] && bindingKey(item['transport']) === binding,
    )
    if (repeated) return
    report(
      'additionalInterfaces',
      `additionalInterfaces does not repeat the main interface, ${show(mainBinding(card))} at ${show(card['url'])}`,
    )
  },
}
