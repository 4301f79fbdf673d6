import { expect, test } from 'vitest'
import { renderFindings } from '../../scripts/docs/findings.ts'
import { renderRules } from '../../scripts/docs/rules.ts'
import { rules } from '../../src/card/rules/index.ts'
import { catalogue } from '../../src/findings/catalogue.ts'

// `npm run docs:generate` updates both pages.

test('docs/rules.md is up to date with the rules', async () => {
  await expect(renderRules(rules)).toMatchFileSnapshot('../../docs/rules.md')
})

test('docs/findings.md is up to date with the catalogue', async () => {
  await expect(renderFindings(catalogue)).toMatchFileSnapshot('../../docs/findings.md')
})
