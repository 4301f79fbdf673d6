import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { Fixture } from '../support/fixtureServer.ts'
import { fixture, open } from './scene.ts'

type Json = Record<string, unknown>

const talk = ['The code word is LINDEN.', 'Which code word?'] as const

/** The task that the n-th turn of a scene answers with, to be changed for a variant. */
function answer({ exchange = [] }: Fixture, turn: 1 | 2): Json {
  return (exchange[turn - 1]?.json as { result: Json }).result
}
const says = (text: string): Json[] => [{ artifactId: 'a1', parts: [{ kind: 'text', text }] }]

describe('H06 contextId kept as a label only', () => {
  test('fails for the changed id and for the lost memory, each in its own words', async () => {
    await using desk = await open(fixture('H06'))

    const told = await desk.failure(() => expect(desk.agent()).toKeepContext(talk, 'LINDEN'))

    expect(told).toMatch(/^\[failed\] /)
    expect(told).toContain('✗ contextId changed from c1 to c2 in turn 2   wire/context-changed\n')
    expect(told).toContain(
      '✗ turn 2: task t2 completed with the text "You have not told me a code word."; the text does not contain "LINDEN"   talk/forgot\n',
    )
    expect(desk.posts()[1]?.rpc?.params).toMatchObject({ message: { contextId: 'c1' } })
  })

  test('an id that is kept by an agent that forgets: forgotten, and no word of the id', async () => {
    const scene = fixture('H06')
    answer(scene, 2).contextId = 'c1'
    await using desk = await open(scene)

    const told = await desk.failure(() => expect(desk.agent()).toKeepContext(talk, /linden/i))

    expect(told).toContain('talk/forgot')
    expect(told).not.toContain('contextId changed')
  })

  test('an id that changes though the agent remembers: the id, and no word of memory', async () => {
    const scene = fixture('H06')
    answer(scene, 2).artifacts = says('It is LINDEN.')
    await using desk = await open(scene)

    const told = await desk.failure(() => expect(desk.agent()).toKeepContext(talk, 'LINDEN'))

    expect(told).toContain('Received: contextId changed from c1 to c2 in turn 2   wire/context-changed\n')
    expect(told).not.toContain('talk/forgot')
  })

  test('no contextId in the first reply: a warning, and the talk goes on without', async () => {
    const scene = fixture('H06')
    delete answer(scene, 1).contextId
    answer(scene, 2).artifacts = says('It is LINDEN.')
    await using desk = await open(scene)

    const told = await desk.passing(() => expect(desk.agent()).not.toKeepContext(talk, 'LINDEN'))

    expect(told).toContain('! the reply of turn 1 names no contextId, so there is none to go on with')
    expect(desk.posts()[1]?.rpc?.params).not.toHaveProperty('message.contextId')
  })

  test('the memory probe with a random code word: what forgets everything passes with a warning', async () => {
    await using desk = await open(fixture('H06'))

    const told = await desk.passing(() => expect(desk.agent()).not.toIsolateContexts())

    expect(told).toMatch(/! the agent does not say "LINDEN[\dA-F]{8}" where it was told, either/)
  })
})
