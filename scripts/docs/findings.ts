import type { CatalogueEntry } from '../../src/findings/types.ts'

/** The sections of the page, each with the start of the ids that belong to it. The first that fits has the id. */
const sections: readonly { prefix: string; title: string; text?: string }[] = [
  {
    prefix: 'card/signature-',
    title: '`card/signature-…`: signatures',
    text: '`toHaveSignedAgentCard` reports these, and `card/unsigned` as an error for a card without a signature.',
  },
  { prefix: 'card/', title: '`card/…`: finding and using the card' },
  { prefix: 'http/', title: '`http/…`: the answer does not come from an A2A agent' },
  { prefix: 'rpc/', title: '`rpc/…`: the agent answers with an error' },
  {
    prefix: 'wire/',
    title: '`wire/…`: the form of an answer',
    text: 'Any matcher that sends something can report these.',
  },
  { prefix: 'reply/', title: '`reply/…`: the content of a reply' },
  { prefix: 'criterion/', title: '`criterion/…`: success criteria of a conversation' },
  { prefix: 'conversation/', title: '`conversation/…`: several messages' },
  { prefix: 'stream/', title: '`stream/…`: order, end and pace of a stream' },
  { prefix: 'cancel/', title: '`cancel/…`: canceling a task' },
  { prefix: 'list/', title: '`list/…`: listing tasks' },
  { prefix: 'push/', title: '`push/…`: push notifications' },
  { prefix: 'auth/', title: '`auth/…`: authentication' },
  { prefix: 'cors/', title: '`cors/…`: access from browsers' },
]

const intro = `# Findings

Every finding and every failure has an id of the form \`area/what\`, which stays the same from version to version. It is printed at the end
of its line in a failure message, and it is in \`verdict.findings\` of the checks, in \`error.finding\` of an \`A2AReplyError\` that
\`agent.send()\` throws, and in the records that matchers leave for reporters.

An **error** fails the matcher. A **warning** is printed and fails nothing, unless asked for
(\`toHaveValidAgentCard({ failOn: 'warning' })\`): the answer could still be read, but stricter clients may reject it. A **note** only
informs. Where two levels are listed, the first is the usual one.

The rules for agent cards are in [rules.md](rules.md); this page has everything else. A finding may bring a more precise fix than the
one listed here.

This page is generated from the catalogue in \`src/findings\`.
`

/** Renders docs/findings.md; `npm run docs:generate` writes it. */
export function renderFindings(catalogue: Readonly<Record<string, CatalogueEntry>>): string {
  const bySection = new Map(sections.map((section) => [section, [] as string[]]))
  for (const [id, entry] of Object.entries(catalogue)) {
    const section = sections.find(({ prefix }) => id.startsWith(prefix))
    if (section === undefined) throw new Error(`${id} belongs to no section of docs/findings.md`)
    bySection.get(section)?.push(row(id, entry))
  }
  const tables = [...bySection].map(([{ title, text }, rows]) => {
    const lead = text === undefined ? '' : `${text}\n\n`
    return `## ${title}\n\n${lead}| id | level | what it means | how to fix it |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return [intro, ...tables].join('\n')
}

function row(id: string, { level, summary, fix }: CatalogueEntry): string {
  const levels = typeof level === 'string' ? level : level.join(', ')
  return `| \`${id}\` | ${levels} | ${cell(summary)} | ${cell(fix)} |`
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`)
}
