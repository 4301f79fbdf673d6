import { plain } from './normalizeText.ts'

/** A value in a message that looks like a fact. */
export interface FactShaped {
  what: 'e-mail address' | 'date' | 'reference' | 'number'
  value: string
}

const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

// Each removes what it finds from the text, so that nothing is reported twice.
const shapes: readonly { what: FactShaped['what']; sign: RegExp }[] = [
  { what: 'e-mail address', sign: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,64}(?:\.[\p{L}\p{N}-]{1,64})+/gu },
  {
    what: 'date',
    sign: new RegExp(
      [
        String.raw`\b\d{4}-\d{1,2}-\d{1,2}\b`,
        String.raw`\b\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})\b`,
        String.raw`\b(?:${months})\.? \d{1,2}(?:st|nd|rd|th)?\b`,
        String.raw`\b\d{1,2}(?:st|nd|rd|th)?\.? (?:of )?(?:${months})\b`,
      ].join('|'),
      'giu',
    ),
  },
  // Letters and digits mixed, except measures: `30min`, `1990s`.
  {
    what: 'reference',
    sign: /#\d{3,}\b|\b(?!\d+[a-z]+\b)(?=[a-z\d-]*[a-z])(?=(?:[a-z-]*\d){2})[a-z\d](?:-?[a-z\d]){4,40}\b/giu,
  },
  { what: 'number', sign: /\p{Nd}(?:[ ./-]?\p{Nd}){4,}/gu },
]

/** Values that look like facts, but are not in what the simulated user can know. */
export function inventedValues(message: string, known: readonly string[]): FactShaped[] {
  let open: string[] | undefined
  const found = new Map<string, FactShaped>()
  let text = plain(message)
  for (const { what, sign } of shapes) {
    text = text.replaceAll(sign, (value) => {
      const key = compact(value)
      open ??= known.map(compact)
      if (!open.some((one) => one.includes(key))) found.set(key, { what, value })
      return ' '
    })
  }
  return [...found.values()]
}

const compact = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
