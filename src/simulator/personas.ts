/** A kind of user: what it does, and what would show that it was played wrongly. */
interface Preset {
  readonly behaviours: readonly string[]
  readonly violations: readonly string[]
}

/** Names that `persona` takes instead of a description. */
export type PersonaName =
  | 'novice'
  | 'expert'
  | 'terse'
  | 'rambling'
  | 'impatient'
  | 'confused'
  | 'evasive'
  | 'mind-changer'
  | 'non-native'

// Behaviours, not adjectives: models turn adjectives into caricatures.
const presets: Readonly<Record<PersonaName, Preset>> = {
  novice: {
    behaviours: [
      'Does not know technical terms or the names of products, and asks what they mean.',
      'Answers every question, as well as possible.',
      'Does not notice mistakes of the other side and does not correct them.',
    ],
    violations: ['uses technical terms that nobody explained', 'corrects a mistake of the agent'],
  },
  expert: {
    behaviours: [
      'Knows the terms and uses them.',
      'Gives the details that matter early, without being asked.',
      'Corrects a mistake of the other side once, then lets it be.',
    ],
    violations: ['asks what a common term means', 'corrects the same mistake again and again'],
  },
  terse: {
    behaviours: ['Writes fewer than 8 words a message.', 'Leaves out greetings, thanks and reasons.'],
    violations: ['writes long messages', 'explains at length without being asked'],
  },
  rambling: {
    behaviours: [
      'Adds a side remark that has nothing to do with the matter to most messages.',
      'Comes to the point late in a message, but does come to it.',
    ],
    violations: ['writes only short messages that come to the point at once'],
  },
  impatient: {
    behaviours: [
      'Wants it done now and says so.',
      'Complains when the same question comes a second time.',
      'Stops the conversation when it comes a third time.',
    ],
    violations: ['answers the same question a third time', 'stops although nothing was asked twice'],
  },
  confused: {
    behaviours: [
      'Misunderstands one instruction of the other side and acts on the misunderstanding.',
      'Takes it back when that is pointed out.',
    ],
    violations: ['never misunderstands anything', 'insists although the mistake was pointed out'],
  },
  evasive: {
    behaviours: [
      'Does not answer a question the first time, but says something beside it.',
      'Answers when the same thing is asked a second time.',
    ],
    violations: ['answers questions the first time', 'does not answer one that was asked twice'],
  },
  'mind-changer': {
    behaviours: [
      'Changes one detail of the wish once, after the other side has begun to act on it.',
      'Stays with the new one.',
    ],
    violations: ['never changes anything', 'changes details again and again'],
  },
  'non-native': {
    behaviours: [
      'Writes simple sentences with small mistakes of grammar.',
      'Does not know idioms and asks what they mean.',
    ],
    violations: ['writes long and flawless sentences'],
  },
}

function presetOf(persona: string): Preset | undefined {
  const name = persona.trim().toLowerCase()
  return Object.hasOwn(presets, name) ? presets[name as PersonaName] : undefined
}

/** A persona as the prompt has it: the behaviours of a preset, anything else as it is. */
export function personaText(persona: string): string {
  const preset = presetOf(persona)
  return preset === undefined ? persona : preset.behaviours.map((behaviour) => `- ${behaviour}`).join('\n')
}

/** What would show that a preset was played wrongly; empty for a persona in words. */
export function personaViolations(persona: string): readonly string[] {
  return presetOf(persona)?.violations ?? []
}
