import { beforeEach, expect, test, vi } from 'vitest'
import { get, json, serve } from './support.ts'

const state = vi.hoisted(() => ({ asked: [] as string[], isMoved: false }))

vi.mock('../../src/core/loadOutside.ts', async (original) => {
  const { loadOutside } = await original<typeof import('../../src/core/loadOutside.ts')>()
  return {
    loadOutside(name: string) {
      state.asked.push(name)
      return state.isMoved && name.startsWith('undici/') ? undefined : loadOutside(name)
    },
  }
})

beforeEach(() => {
  state.asked = []
  vi.resetModules()
})

async function request(): Promise<string> {
  const { transportFor } = await import('./support.ts')
  const server = await serve((_, response) => json(response, { city: 'Oslo' }))
  const response = await transportFor({ typedUrl: server.url }).open(get(`${server.url}/card?a=1`))
  expect(server.seen[0]?.url).toBe('/card?a=1')
  return response.text()
}

test('a request loads no more of undici than it needs', async () => {
  state.isMoved = false
  expect(await request()).toBe('{"city":"Oslo"}')
  expect(state.asked).toEqual(['undici/lib/dispatcher/agent.js', 'undici/lib/api/api-request.js'])
})

test('a version of undici that keeps these parts elsewhere is loaded whole', async () => {
  state.isMoved = true
  expect(await request()).toBe('{"city":"Oslo"}')
  expect(state.asked.at(-1)).toBe('undici')
})
