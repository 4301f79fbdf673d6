import { readOffers } from '../offers.ts'
import type { Rule } from '../types.ts'
import { bindingKey, isText, show } from '../values.ts'

export const transportConflict: Rule = {
  id: 'card/transport-conflict',
  levels: { '0.3': 'warning' },
  summary: 'Each URL is declared with one transport only.',
  fix: 'Give each transport its own URL, unless all of them really answer there.',
  source: 'A2A 0.3 §5.6.4',
  check(card, report) {
    const first = new Map<string, string>()
    for (const { path, url, binding, modern } of readOffers(card)) {
      if (modern || !isText(url) || !isText(binding)) continue
      const before = first.get(url)
      if (before === undefined) first.set(url, binding)
      else if (bindingKey(before) !== bindingKey(binding)) {
        report(path, `${show(url)} is declared both as ${show(before)} and as ${show(binding)}`)
      }
    }
  },
}
