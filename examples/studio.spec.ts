import { a2aAgent } from 'expect-a2a'
import { startStudio } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

// An A2A 0.1 agent as websites build them: one endpoint, `tasks/send`, a bearer token.
const demo = await startStudio({ token: 'studio-token' })
afterAll(() => demo.close())
const studio = a2aAgent(demo.url, { headers: { authorization: 'Bearer studio-token' } })

test('its card is valid and lists four skills', async () => {
  await expect(studio).toHaveValidAgentCard()
  await expect(studio).toAdvertiseSkill('get-services')
  await expect(studio).toAdvertiseSkill('get-pricing')
  await expect(studio).toAdvertiseSkill('get-case-studies')
  await expect(studio).toAdvertiseSkill('schedule-consultation')
})

test('it answers a first message', async () => {
  await expect(studio).toPassSmokeCheck({ message: 'What services do you offer?' })
})

test('each question reaches its skill', async () => {
  await expect(studio).toReply('How much does a website cost?', '$3,000')
  await expect(studio).toReply('I want to book a call', /weekday/)
})

test('it asks a question before it quotes a price, and continues the same task', async () => {
  const asked = await studio.send('Can I have a quote?')
  expect(asked).toBeInTaskState('input-required')

  const quote = await studio.send('A web shop', { after: asked })
  expect(quote).toBeInTaskState('completed')
  expect(quote).toHaveReplyText('"A web shop"')
})

test('browsers can call it and find its card at the endpoint', async () => {
  await expect(studio).toAllowCors()
  await expect(studio).toAnswerCardAtEndpoint()
})

test('it rejects unauthenticated requests', async () => {
  await expect(studio).toRequireAuthentication()
  await expect(a2aAgent(demo.url)).not.toReply('What services do you offer?')
})
