import { expect, test } from 'vitest'
import { a2aAgent, type AgentOptions } from '../../src/index.ts'
import { key } from './listen.ts'
import { expectOutcome, type ExpectedOutcome } from './operations.ts'

/** Tests of a guarded agent; the outcome of each matcher on access is given where it is not "passed without findings". */
export function testAccess(
  url: () => string,
  options: AgentOptions,
  {
    authentication,
    extendedCard,
  }: { authentication?: ExpectedOutcome | undefined; extendedCard?: ExpectedOutcome | undefined } = {},
): void {
  const credentials = { key }
  test('toRequireAuthentication', async (context) => {
    await using agent = a2aAgent(url(), options)
    await expectOutcome(context, () => expect(agent).toRequireAuthentication({ credentials }), authentication)
  })

  test('toServeExtendedCard', async (context) => {
    await using agent = a2aAgent(url(), { ...options, credentials })
    await expectOutcome(context, () => expect(agent).toServeExtendedCard(), extendedCard)
  })
}
