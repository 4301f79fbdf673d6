import { describe, expect, test } from 'vitest'
import { isEmpty } from '../../src/simulator/guards.ts'
import { guard, leaking, names } from './guardFakes.ts'
import { deepFreeze, conversation } from './userFakes.ts'

describe('empty', () => {
  test.each(['', ' \n\t', '\u200b\u200d', '\u00a0\u3000', '\u3164', '\ufeff'])('%j is', (message) => {
    expect(guard(message)).toEqual({ hits: [{ guard: 'empty', why: 'It has no text.', message }], notes: [] })
    expect(isEmpty(message)).toBe(true)
  })

  test.each(['?', '…', '👍', '👩‍🚀', 'はい', '7'])('%j is not', (message) => {
    expect(names(message)).toEqual([])
  })
})

describe('too long', () => {
  test('is more than 1200 characters, whatever they are made of', () => {
    expect(names('ä'.repeat(1_200))).toEqual([])
    expect(names('😀'.repeat(1_200))).toEqual([])
    expect(guard('ä'.repeat(1_201)).hits).toEqual([
      {
        guard: 'too-long',
        why: 'It has 1201 characters, more than the 1200 of a chat message.',
        message: 'ä'.repeat(1_201),
      },
    ])
  })
})

describe('leak', () => {
  test.each(leaking)('%j shows %j', (message, sign) => {
    expect(guard(message).hits).toEqual([
      {
        guard: 'leak',
        why: `It says "${sign}", which comes from the simulator's instructions; a person would not say it.`,
        message,
      },
    ])
  })

  test.each([
    'I did it as the user manual says.',
    'As the user guide says, I pressed reset.',
    "I can't log in as the user admin, only logged in as the user bob.",
    'What is the status of my order?',
    'status: still broken',
    'My message: please call me back.\nThanks',
    'I stimulated the battery.',
    'Ich gebe auf.',
    'Je continue.',
    'The "message" on the screen says error 5',
    'What do you think? Think about it!',
    '### Notes ###',
    'I want to test the scenario where I cancel.',
  ])('%j does not', (message) => {
    expect(names(message)).toEqual([])
  })

  test.each(leaking)('%j does not, where it is known', (message) => {
    expect(names(message, { goal: message })).toEqual([])
    expect(names(message, { persona: `Someone who says: ${message}` })).toEqual([])
    expect(names(message, { facts: ['x', message] })).toEqual([])
    expect(names(message, { entries: conversation('hi', message) })).toEqual([])
    expect(
      names(message, {
        entries: [
          {
            turn: 1,
            from: 'agent',
            text: '',
            data: [{ note: 1 }],
            artifacts: [{ artifactId: 'a', text: message }],
          },
        ],
      }),
    ).toEqual([])
  })

  test('takes no own earlier words for an excuse, but those of the test', () => {
    const [first] = conversation('I am simulated')
    expect(names('Still simulated, sorry', { entries: [first!] })).toEqual(['leak'])
    expect(names('Still simulated, sorry', { entries: [{ ...first!, by: 'script' }] })).toEqual([])
  })

  test('is judged word by word: one known word excuses no other', () => {
    expect(guard('simulated ###STOP###', { goal: 'a simulated flight' }).hits).toMatchObject([
      { guard: 'leak', why: expect.stringContaining('"###STOP###"') as string },
    ])
  })
})

const serving = [
  'How can I help you?',
  'Sure! How may I assist you today?',
  'What can I help you with?',
  'How can I help you with your booking?',
  'Is there anything else I can help with?',
  'Is there anything else I can do for you?',
  "Is there anything else you'd like help with?",
  "I'd be happy to help you!",
  'I’m here to help.',
  'Let me know if you have any further questions.',
  "I'm an AI assistant, so no.",
  'As an AI language model, I cannot know.',
  'Wie kann ich Ihnen helfen?',
  '¿En qué puedo ayudarte hoy?',
  'Comment puis-je vous aider ?',
  'Como posso te ajudar?',
  'Come posso aiutarla?',
  'Waarmee kan ik u helpen?',
  'Чем я могу вам помочь?',
  '무엇을 도와드릴까요?',
  '请问有什么可以帮您？',
  'どのようなご用件でしょうか',
]

describe('assistant', () => {
  test.each(serving)('%j serves', (message) => {
    expect(guard(message).hits).toMatchObject([
      {
        guard: 'assistant',
        why: expect.stringMatching(
          /^It says ".+" and so speaks like an assistant, not like the user\.$/,
        ) as string,
        message,
      },
    ])
  })

  test('also where the agent said it first: that is how roles flip', () => {
    expect(names('How can I help you?', { entries: conversation('hi', 'How can I help you?') })).toEqual([
      'assistant',
    ])
  })

  test('not where the goal or the persona has it', () => {
    expect(
      names('How can I help you?', { goal: 'Answer every question with "How can I help you?".' }),
    ).toEqual([])
  })

  test.each([
    'Can you help me?',
    'How can I help you find my booking?',
    'What can I do to get my money back?',
    'Is there anything else I can do?',
    'Is there anything I can do to help it along?',
    'As an AI you should know that.',
    'Are you an AI assistant?',
    'Let me know if you need my number.',
    "I'd be happy to wait.",
    'Kannst du mir helfen?',
    '¿Me puede ayudar con mi pedido?',
    'Pouvez-vous m’aider ?',
    'あなたに何か聞いてもいいですか',
    '你可以帮我吗？',
    'Вы можете мне помочь?',
    'هل يمكنك مساعدتي؟',
    'ช่วยฉันหน่อยได้ไหม',
  ])('%j does not', (message) => {
    expect(names(message)).toEqual([])
  })
})

describe('criteria', () => {
  const criteria = ['The agent states the new departure day and says that there is no fee.']

  test('eight words in a row are a leak, whatever their case and punctuation', () => {
    const message = 'Please: "STATES the new departure day — and says that…"'
    expect(guard(message, { criteria }).hits).toEqual([
      { guard: 'criteria', why: 'It repeats 8 or more consecutive words of a success criterion.', message },
    ])
  })

  test('seven are not', () => {
    expect(names('states the new departure day and says: 5', { criteria })).toEqual([])
  })

  test.each<[string, Parameters<typeof guard>[1]]>([
    ['goal', { goal: 'Get an agent that states the new departure day and says that there is no fee.' }],
    ['persona', { persona: 'Who states the new departure day and says that' }],
    ['facts', { facts: ['he states the new departure day and says that'] }],
    ['agent', { entries: conversation('hi', 'Who states the new departure day and says that?') }],
    [
      'opening',
      {
        entries: [
          { turn: 1, from: 'user', by: 'opening', text: 'states the new departure day and says that' },
        ],
      },
    ],
  ])('known from the %s, they are none', (_, about) => {
    expect(
      names('one that states the new departure day and says that, please', { criteria, ...about }),
    ).toEqual([])
  })

  test('are found in languages without spaces', () => {
    const text = '代理必须在确认之前告诉用户新的出发日期以及没有任何费用'
    expect(names(`请${text}`, { criteria: [text] })).toEqual(['criteria'])
    expect(names('请告诉我新的出发日期', { criteria: [text] })).toEqual([])
  })

  test('one known run excuses no other', () => {
    expect(
      names('a b c d e f g h i', { criteria: ['a b c d e f g h i'], facts: ['a b c d e f g h'] }),
    ).toEqual(['criteria'])
  })
})

describe('repeat', () => {
  test('an own earlier message, said again', () => {
    const entries = conversation('I need to move my flight', 'To when?')
    expect(guard('i need to MOVE my flight!', { entries }).hits).toEqual([
      {
        guard: 'repeat',
        why: "It repeats the user's own message of turn 1.",
        message: 'i need to MOVE my flight!',
      },
    ])
    expect(names('I need to move my other flight', { entries })).toEqual([])
  })

  test('short answers may come twice', () => {
    const entries = conversation('hello', 'Is it 4411?', 'Yes, it is.', 'To your card?')
    expect(names('yes it is', { entries })).toEqual([])
  })

  test('who is asked the same again may answer the same again', () => {
    const entries = conversation('hello', 'Which order is it?', 'It is the blue one', 'which order is it')
    expect(names('It is the blue one', { entries })).toEqual([])
    expect(
      names('It is the blue one', {
        entries: conversation('hello', 'Which?', 'It is the blue one', 'And when?'),
      }),
    ).toEqual(['repeat'])
  })

  test('to say what the agent said is none', () => {
    expect(
      names('Friday at nine forty then', { entries: conversation('hi', 'Friday at nine forty then') }),
    ).toEqual([])
  })
})

describe('notes', () => {
  const note = (what: string, value: string): string =>
    `the ${what} "${value}" is not in the facts, the goal, the persona or the conversation`

  test.each([
    ['My order is AB12CD.', [note('reference', 'AB12CD')]],
    ['It is #4411', [note('reference', '#4411')]],
    ['write to mia.li99@example.com please', [note('e-mail address', 'mia.li99@example.com')]],
    ['on 2026-12-04 or 4.12.2026', [note('date', '2026-12-04'), note('date', '4.12.2026')]],
    ['on March 3rd, or 4 April', [note('date', 'March 3rd'), note('date', '4 April')]],
    ['call +49 170 1234567', [note('number', '49 170 1234567')]],
    ['رقمي ١٢٣٤٥٦', [note('number', '١٢٣٤٥٦')]],
    ['订单12345号', [note('number', '12345')]],
  ])('%j has invented values', (message, notes) => {
    expect(guard(message)).toEqual({ hits: [], notes })
  })

  test.each([
    'I wait since 30min, since the 1990s, 100km away',
    'at 9:40, for 250 €',
    'two bags in row 12',
    'I may be late, in May',
  ])('%j has none', (message) => {
    expect(guard(message)).toEqual({ hits: [], notes: [] })
  })

  test.each<[string, Parameters<typeof guard>[1]]>([
    ['facts', { facts: ['booking: ab-12-cd'] }],
    ['goal', { goal: 'Move AB12CD.' }],
    ['persona', { persona: 'Owner of AB12CD' }],
    ['agent', { entries: conversation('hi', 'Is it AB12CD?') }],
    ['data', { entries: [{ turn: 1, from: 'agent', text: '', data: [{ ref: ['AB12CD'] }] }] }],
    ['files', { entries: [{ turn: 1, from: 'agent', text: '', files: [{ name: 'AB12CD.pdf' }] }] }],
    ['own words', { entries: conversation('AB12CD') }],
  ])('a value from the %s is none', (_, about) => {
    expect(guard('It is AB12CD', about).notes).toEqual([])
  })

  test('note a goal that is spelled out', () => {
    const goal = 'Move booking AB12CD to Friday without paying a fee.'
    expect(guard('Move booking AB12CD to Friday without paying a fee', { goal })).toEqual({
      hits: [],
      notes: ['repeats 8 or more consecutive words of the goal'],
    })
  })
})

test('a message without end is thrown away in no time', () => {
  expect(names('x "status '.repeat(200_000))).toEqual(['too-long'])
  expect(names(`<think>${'no end '.repeat(200_000)}`)).toEqual(['too-long', 'leak'])
})

test('several guards may hit', () => {
  expect(names('<think>x</think> How can I help you?')).toEqual(['leak', 'assistant'])
})

test('inputs stay as they are', () => {
  const about = deepFreeze({
    persona: 'novice',
    goal: 'g',
    facts: ['f'],
    criteria: ['c'],
    entries: conversation('AB12CD', 'b'),
  })
  expect(guard('a message with AB99CD', about).notes).toHaveLength(1)
})
