import { describe, expect, test } from 'vitest'
import { loadOpenAI } from '../../src/model/packages.ts'
import { thrown } from './request.ts'

describe('the package', () => {
  const load = (failure: Error): Promise<Record<string, unknown>> =>
    thrown(
      loadOpenAI(
        () => Promise.reject(failure),
        () => undefined,
      ),
    )

  test.each([
    Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }),
    Object.assign(new Error('x'), { code: 'MODULE_NOT_FOUND' }),
    new Error('Failed to resolve import "openai" from \'a.ts\''),
  ])('that is missing is reported with the install command and the alternatives: %s', async (failure) => {
    await expect(load(failure)).resolves.toMatchObject({
      name: 'A2AUsageError',
      code: 'MISSING_PACKAGE',
      message: 'a model configured by name needs the package "openai".',
      fix: 'Install it: npm install --save-dev openai. Or pass the model as a function, `async (request) => text`, or as a model object of the AI SDK: neither needs it.',
    })
  })

  test('that is broken is reported with the cause', async () => {
    await expect(load(new SyntaxError('odd'))).resolves.toMatchObject({
      code: 'MISSING_PACKAGE',
      message: 'the package "openai" cannot be loaded: odd.',
    })
    await expect(
      thrown(
        loadOpenAI(
          () => Promise.resolve({}),
          () => undefined,
        ),
      ),
    ).resolves.toMatchObject({
      message: 'the package "openai" cannot be loaded: it exports no OpenAI.',
    })
  })

  test('can be loaded', async () => {
    const { OpenAI } = await loadOpenAI(
      () => import('openai'),
      () => undefined,
    )
    expect(OpenAI.name).toBe('OpenAI')
  })
})
