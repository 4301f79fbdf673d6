import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { failureOf, messageReply, taskReply } from './support.ts'

const reply = messageReply('Oslo is the capital', 'of Norway.')

test('passes when the text contains, matches, fits or satisfies what is expected', () => {
  expect(reply).toHaveReplyText()
  expect(reply).toHaveReplyText('the capital')
  expect(reply).toHaveReplyText('Oslo is the capital\nof Norway.', { exact: true })
  expect(reply).toHaveReplyText(/^Oslo .*Norway\.$/s)
  expect(reply).toHaveReplyText(expect.stringMatching(/capital/))
  expect(reply).toHaveReplyText((text) => text.length > 10)
  expect(reply).not.toHaveReplyText('Bergen')
  expect(messageReply()).not.toHaveReplyText()
  expect(taskReply('input-required', [], 'Which city?')).toHaveReplyText('Which city?', { exact: true })
})

test('a regular expression with the flag g has no memory', () => {
  const pattern = /Oslo/g
  expect(reply).toHaveReplyText(pattern)
  expect(reply).toHaveReplyText(pattern)
})

test('fails with the text, whole below the message', async () => {
  expect(await failureOf(() => expect(reply).toHaveReplyText('Bergen'))).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveReplyText("Bergen")

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: a reply that contains "Bergen"
    Received: a Message with the text "Oslo is the capital\\nof Norway."; the text does not contain "Bergen"   reply/differs

    Text of the reply
      Oslo is the capital
      of Norway."
  `)
})

test('fails with the case when only that is wrong', async () => {
  expect(await failureOf(() => expect(messageReply('OSLO')).toHaveReplyText('Oslo'))).toContain(
    'the text does not contain "Oslo" (but does in a different case)',
  )
})

test('fails with the first difference when the whole was expected', async () => {
  const failure = await failureOf(() =>
    expect(messageReply('It is Oslo.')).toHaveReplyText('It is Bergen.', { exact: true }),
  )

  expect(failure).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveReplyText("It is Bergen.", { exact: true })

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: a reply that is exactly "It is Bergen."
    Received: a Message with the text "It is Oslo."; the text differs from character 7   reply/differs

    From character 7 onwards
      expected "Bergen."
      received "Oslo.""
  `)
})

test('fails with the reason of a task that failed', async () => {
  expect(await failureOf(() => expect(taskReply('failed', [], 'no quota')).toHaveReplyText())).toContain(
    'Received: task t1 ended in state failed: no quota',
  )
})

test('fails with what a function asserts', async () => {
  const short = (text: string): boolean => {
    expect(text).toHaveLength(3)
    return true
  }

  expect(await failureOf(() => expect(messageReply('Oslo')).toHaveReplyText(short))).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveReplyText(short)

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: a reply that satisfies the function short
    Received: a Message with the text "Oslo"; an assertion in the function short failed   reply/differs

    Assertion
      expected 'Oslo' to have a length of 3 but got 4"
  `)
})

test('.not fails and says what was found', async () => {
  expect(await failureOf(() => expect(messageReply('Oslo')).not.toHaveReplyText(/os/i)))
    .toMatchInlineSnapshot(`
    "[failed] expect(reply).not.toHaveReplyText(/os/i)

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: not a reply that matches /os/i
    Received: a Message with the text "Oslo""
  `)
})

test('misuse: a function that forgets to return', async () => {
  const forgets = (): void => undefined

  expect(await failureOf(() => expect(reply).not.toHaveReplyText(forgets))).toMatchInlineSnapshot(`
    "[error] expect(reply).not.toHaveReplyText(forgets)

    Error: the function forgets passed to toHaveReplyText() returned nothing.
    Fix:   Return true or false; a function with its own assertions should end with \`return true\`."
  `)
})

test('misuse: a function with a mistake does not count against the agent', async () => {
  const mistake = (_text: string, about: { data: unknown[] }): unknown => (about.data[0] as { id: string }).id

  expect(await failureOf(() => expect(reply).not.toHaveReplyText(mistake as never))).toContain(
    "[error] expect(reply).not.toHaveReplyText(mistake)\n\nError: the function mistake passed to toHaveReplyText() threw TypeError: Cannot read properties of undefined (reading 'id').",
  )
})

test('misuse: something asynchronous', async () => {
  expect(await failureOf(() => expect(reply).toHaveReplyText(async () => true))).toMatchInlineSnapshot(`
    "[error] expect(reply).toHaveReplyText(() => …)

    Error: toHaveReplyText() is synchronous, but the function or schema is not.
    Fix:   Use \`await expect(agent).toReply(message, …)\`, or await the value first."
  `)
})

test.each([
  [['x', { exakt: true }], 'toHaveReplyText(): there is no option `exakt`. Did you mean `exact`?'],
  [[/x/, { exact: true }], 'the option "exact" of toHaveReplyText() needs an expected string, not /x/'],
  [[42], 'toHaveReplyText() cannot compare with 42'],
])('misuse: %j', async (args, message) => {
  expect(
    await failureOf(() => (expect(reply).toHaveReplyText as (...all: unknown[]) => void)(...args)),
  ).toContain(message)
})
