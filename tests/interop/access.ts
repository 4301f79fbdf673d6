import { expect, test } from 'vitest'
import { a2aAgent, type AgentOptions } from '../../src/index.ts'
import { key } from './listen.ts'
import { expectCourse, type Course } from './operations.ts'

/** Tests of a guarded desk: what comes of each matcher on access, where that is not "passed, and nothing found". */
export function testAccess(
  url: () => string,
  options: AgentOptions,
  {
    authentication,
    extendedCard,
  }: { authentication?: Course | undefined; extendedCard?: Course | undefined } = {},
): void {
  const credentials = { key }
  test('toRequireAuthentication', async (context) => {
    await using agent = a2aAgent(url(), options)
    await expectCourse(context, () => expect(agent).toRequireAuthentication({ credentials }), authentication)
  })

  test('toServeExtendedCard', async (context) => {
    await using agent = a2aAgent(url(), { ...options, credentials })
    await expectCourse(context, () => expect(agent).toServeExtendedCard(), extendedCard)
  })
}
