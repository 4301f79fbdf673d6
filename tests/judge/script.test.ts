import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { root } from '../house/sources.ts'
import { answer, claim } from './support.ts'

/** Runs the script as `npm run judge-set` does. */
async function run(env: Record<string, string>, args: readonly string[] = []) {
  const { A2A_JUDGE_MODEL: _model, ...rest } = process.env
  const child = spawn(process.execPath, ['scripts/judge-set.mjs', ...args], {
    cwd: root,
    env: { ...rest, A2A_CASSETTES: '', ...env },
  })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, out: out.join(''), err: err.join('') }
}

describe('the script that measures judges', () => {
  test.each([{}, { A2A_JUDGE_MODEL: ' ' }])('says that no model is configured: %j', async (env) => {
    const { code, out, err } = await run(env)
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(
      'skipped: no judge model is configured. Set A2A_JUDGE_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL, to measure one.\n',
    )
    expect(out).not.toMatch(/\d\.\d/)
  })

  test('calls the model of the environment, and prints agreement and kappa by theme', async () => {
    const asked: { model?: string; key?: string | undefined }[] = []
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        asked.push({ ...(JSON.parse(body) as object), key: request.headers.authorization })
        const keys = [...(/Answer for: ([c\d, ]+)/.exec(body)?.[1] ?? '').matchAll(/c\d+/g)].map(
          ([key]) => key,
        )
        const content = JSON.stringify(answer(Object.fromEntries(keys.map((key) => [key, claim('not_met')]))))
        response.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            id: 'x',
            object: 'chat.completion',
            created: 1,
            model: 'local-judge',
            choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
            usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
          }),
        )
      })
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    try {
      const { port } = server.address() as AddressInfo
      const { code, out, err } = await run(
        {
          A2A_JUDGE_MODEL: 'local-judge',
          OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
          OPENAI_API_KEY: 'test',
        },
        ['negations'],
      )
      expect([code, err]).toEqual([0, ''])
      expect(asked.length).toBeGreaterThan(5)
      expect(asked[0]).toMatchObject({ model: 'local-judge', key: 'Bearer test' })
      expect(out).toMatch(/^judge local-judge, prompt judge\/1: 7 conversations\n/)
      expect(out).toMatch(/\nnegations +10 +0\.60 +0\.00\nall +10 +0\.60 +0\.00\n/)
      expect(out).toMatch(/- negations, takes it back: .*\n {2}label met, judge not_met: It is not_met\.\n/)
      expect(out).toMatch(/\n\d+ calls, \d+ \+ \d+ tokens\n$/)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  test('reports an unknown theme', async () => {
    const { code, err } = await run({ A2A_JUDGE_MODEL: 'x', OPENAI_BASE_URL: 'http://127.0.0.1:9' }, ['nope'])
    expect([code, err]).toEqual([1, 'no theme is called "nope".\n'])
  })
})
