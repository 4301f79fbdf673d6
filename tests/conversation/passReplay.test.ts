import { afterEach, beforeEach, expect, test } from 'vitest'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import type { CassetteMode } from '../../src/model/types.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { openTestAgent, judge, pass, user } from './runs.ts'

beforeEach(() => configureA2A({ folder: false }))
afterEach(resetConfiguration)

test('replays a recorded conversation without agent and models, with the same result', async () => {
  const folder = temporaryFolder()
  await using helpdesk = await openTestAgent(startHelpdesk())
  const [model, judging] = [user('It is order #4411.'), judge()]
  const conversation = (mode: CassetteMode) =>
    pass(helpdesk.agent, {
      goal: 'Get the duplicate charge refunded.',
      openingMessage: 'I was charged twice.',
      successCriteria: ['The agent says that the money comes back.'],
      simulator: { model },
      judge: { model: judging },
      cassette: { mode, agent: true, folder },
      name: 'refunds a double charge',
    })
  const recorded = await conversation('record')
  await helpdesk.demo.close()
  const asked = model.requests.length + judging.requests.length

  const played = await conversation('replay')

  expect(recorded).toMatchObject({ outcome: 'passed', replay: { agent: 0, live: 3 } })
  expect(played).toMatchObject({
    outcome: 'passed',
    replay: { simulator: 2, judge: 1, agent: 2, live: 0 },
  })
  expect(model.requests.length + judging.requests.length).toBe(asked)
  expect(played.shown.run.entries).toEqual(recorded.shown.run.entries)
  expect(played.shown.judgement).toEqual(recorded.shown.judgement)
  expect(played.warnings.join()).toContain('the agent was not called')
})
