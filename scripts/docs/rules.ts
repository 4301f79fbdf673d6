import type { CardVersion, Rule } from '../../src/card/types.ts'

const versions: readonly CardVersion[] = ['0.1', '0.2', '0.3', '1.0']

/** Renders docs/rules.md; `npm run docs:generate` writes it. */
export function renderRules(rules: readonly Rule[]): string {
  const rows = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1)).map(row)
  return `# Card rules

What \`toHaveValidAgentCard\` and \`checkAgentCard\` check. The columns give the level of a breach in a card of that version; – means
that the rule does not apply there. If a rule names a milder or stricter case, that case has its own level.

\`\`\`ts
await expect(agent).toHaveValidAgentCard({ rules: { 'card/skill-tags': 'off', 'card/plain-http': 'warning' } })
\`\`\`

\`rules\` sets a rule to \`'off'\`, \`'note'\`, \`'warning'\` or \`'error'\`; \`failOn: 'warning'\` makes warnings fail too, \`failOn: 'never'\` only
reports. A file that is not an agent card (\`card/not-a2a\`) and a card that mixes versions (\`card/ambiguous\`) are verdicts, not rules:
the first fails, the second is inconclusive until the option \`version\` decides.

The \`expect-a2a card table\` is the fixed table of required fields that this package starts from, and the \`expect-a2a endpoint rule\`
its fixed order for trying the addresses of a card: see [docs/decisions/0001](decisions/0001-founding-documents.md). All other
rules come from the sections that are named.

This page is generated from the rules themselves.

| rule | ${versions.join(' | ')} | requirement | how to fix it | source |
| --- | ${versions.map(() => '---').join(' | ')} | --- | --- | --- |
${rows.join('\n')}
`
}

function row(rule: Rule): string {
  const levels = versions.map((version) => rule.levels[version] ?? '–')
  return `| \`${rule.id}\` | ${levels.join(' | ')} | ${cell(rule.summary)} | ${cell(rule.fix)} | ${cell(sources(rule))} |`
}

function sources({ source }: Rule): string {
  const all = typeof source === 'string' ? [source] : Object.values(source)
  return [...new Set(all.flatMap((one) => one.split('; ')))].join('; ')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
