import { expect, test } from 'vitest'
import { renderRules } from '../../scripts/rules-doc.ts'
import { rules } from '../../src/card/rules/index.ts'

test('docs/rules.md is what the rules say (-u writes it)', async () => {
  await expect(renderRules(rules)).toMatchFileSnapshot('../../docs/rules.md')
})
