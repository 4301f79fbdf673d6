import { everywhere, skillsOf } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isStringList, listed, show } from '../values.ts'

const meant: Readonly<Record<string, string>> = {
  text: 'text/plain',
  json: 'application/json',
  data: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
  image: 'image/png',
  audio: 'audio/mpeg',
  file: 'application/octet-stream',
}

export const mediaTypes: Rule = {
  id: 'card/media-types',
  levels: everywhere('warning'),
  summary: 'Input and output modes, including those of skills, are media types (`type/subtype`).',
  fix: 'Write media types, such as "text/plain" for text.',
  source: 'A2A 0.3 §5.5; A2A 1.0 §4.4.1; RFC 6838',
  check(card, report) {
    judge('defaultInputModes', card['defaultInputModes'])
    judge('defaultOutputModes', card['defaultOutputModes'])
    for (const { skill, path } of skillsOf(card)) {
      judge(`${path}.inputModes`, skill['inputModes'])
      judge(`${path}.outputModes`, skill['outputModes'])
    }

    function judge(path: string, value: unknown): void {
      if (!isStringList(value)) return
      const wrong = value.filter((mode) => !/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;.*)?$/.test(mode))
      if (wrong.length === 0) return
      const better = wrong.map((mode) => meant[mode.toLowerCase()]).filter((mode) => mode !== undefined)
      report(
        path,
        `${path} has ${listed(wrong.map(show))}, which ${wrong.length === 1 ? 'is not a media type' : 'are not media types'} (type/subtype)`,
        better.length === 0 ? {} : { fix: `Write ${listed([...new Set(better)].map(show))}.` },
      )
    }
  },
}
