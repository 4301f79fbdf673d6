import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { CARD03, CARD10 } from '../support/fixture.ts'
import { echoAgent, failureOf, misuse, wireMessage } from './support.ts'

const uri = 'https://example.com/ext/consent/v1'
const extended = {
  ...CARD10,
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [{ uri, required: true }],
  },
}

test('passes for what is true, in each version where it stands', async () => {
  await using server = await echoAgent(wireMessage('Hi.'))

  await expect(server.origin).toAdvertiseCapability('streaming')
  await expect(extended).toAdvertiseCapability('extendedAgentCard')
  await expect({ ...CARD03, supportsAuthenticatedExtendedCard: true }).toAdvertiseCapability(
    'extendedAgentCard',
  )
  await expect(extended).toAdvertiseCapability(uri)
  await expect(extended).not.toAdvertiseCapability('pushNotifications')
  await expect(CARD03).not.toAdvertiseCapability('extendedAgentCard')
  await expect(CARD03).not.toAdvertiseCapability(uri)
})

test.each([
  [CARD03, 'pushNotifications', 'Received: no capabilities.pushNotifications, which means false'],
  [extended, 'pushNotifications', 'Received: capabilities.pushNotifications is false'],
  [
    { ...CARD03, capabilities: { streaming: 'yes' } },
    'streaming',
    'Received: capabilities.streaming is "yes"',
  ],
  [CARD10, 'stateTransitionHistory', 'Fix:      A2A 1.0 no longer has this capability.'],
  [CARD10, uri, 'Received: a card without extensions'],
  [extended, `${uri}1`, `a card with the extensions "${uri}". Did you mean "${uri}"?`],
])('fails for %j', async (card, name, message) => {
  expect(await failureOf(() => misuse(expect(card), 'toAdvertiseCapability')(name))).toContain(message)
})

test('fails with the whole message', async () => {
  expect(await failureOf(() => expect(CARD03).toAdvertiseCapability('pushNotifications')))
    .toMatchInlineSnapshot(`
      "[failed] expect(card).toAdvertiseCapability("pushNotifications")

      Agent:    Echo Desk (card object)
      Expected: a card that advertises the capability pushNotifications
      Received: no capabilities.pushNotifications, which means false   card/no-capability"
    `)
})

test('.not fails and says what was found', async () => {
  expect(await failureOf(() => expect(extended).not.toAdvertiseCapability(uri))).toMatchInlineSnapshot(`
    "[failed] expect(card).not.toAdvertiseCapability("https://example.com/ext/consent/v1")

    Agent:    Echo Desk (card object)
    Expected: not a card that advertises the extension "https://example.com/ext/consent/v1"
    Received: capabilities.extensions[0], which it requires"
  `)
})

test('misuse: an unknown name', async () => {
  expect(await failureOf(() => misuse(expect(CARD03).not, 'toAdvertiseCapability')('pushNotification')))
    .toMatchInlineSnapshot(`
      "[error] expect(agent).not.toAdvertiseCapability("pushNotification")

      Error: toAdvertiseCapability(): \`name\` must be "streaming", "pushNotifications", "stateTransitionHistory" or "extendedAgentCard" or the URI of an extension; received "pushNotification".
      Fix:   Did you mean "pushNotifications"?"
    `)
})
