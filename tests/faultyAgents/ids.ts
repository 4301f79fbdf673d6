import { rules } from '../../src/card/rules/index.ts'
import { files, read } from '../house/sources.ts'

const written =
  /'((?:auth|cancel|card|conversation|cors|criterion|http|list|push|reply|rpc|stream|conversation|wire)\/[a-z\d-]+)'/g

/** Every id of a finding that the sources can give, card rules included. */
export function idsInSources(): string[] {
  const found = files('src', /\.ts$/).flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
      .flatMap((line) => [...line.matchAll(written)].map(([, id = '']) => id)),
  )
  return [...new Set(found)].toSorted()
}

export const ruleIds: ReadonlySet<string> = new Set(rules.map(({ id }) => id))
