import type { Rule } from '../types.ts'
import { isObject, objectsOf, show } from '../values.ts'

export const requiredExtension: Rule = {
  id: 'card/required-extension',
  levels: { '0.2': 'warning', '0.3': 'warning', '1.0': 'warning' },
  summary: 'No extension is required, because clients that do not support it are rejected.',
  fix: 'Pass the URI in the option extensions, or set "required": false.',
  source: { '0.2': 'A2A 0.2 §5.5.2.1', '0.3': 'A2A 0.3 §5.5.2.1', '1.0': 'A2A 1.0 §4.6' },
  check(card, report) {
    const capabilities = card['capabilities']
    if (!isObject(capabilities)) return
    for (const { item, index } of objectsOf(capabilities['extensions'])) {
      if (item['required'] !== true) continue
      const path = `capabilities.extensions[${index}]`
      report(path, `${path} is required: clients that do not opt in to ${show(item['uri'])} are rejected`)
    }
  },
}
