import type { Rule } from '../types.ts'
import { isText, objectsOf, show } from '../values.ts'
import { protectedHeader } from './signatures.ts'

export const signatureTyp: Rule = {
  id: 'card/signature-typ',
  levels: { '1.0': 'warning' },
  summary: 'The protected header of a signature has `typ: "JOSE"`.',
  fix: 'Add "typ": "JOSE" to the protected header and sign again.',
  source: 'A2A 1.0 §8.4.2',
  check(card, report) {
    for (const { item, index } of objectsOf(card['signatures'])) {
      const header = isText(item['protected']) ? protectedHeader(item['protected']) : undefined
      if (header === undefined || header['typ'] === 'JOSE') continue
      const path = `signatures[${index}].protected`
      const said = header['typ'] === undefined ? 'has no typ' : `says typ ${show(header['typ'])}`
      report(path, `${path} ${said}, where "JOSE" is expected`)
    }
  },
}
