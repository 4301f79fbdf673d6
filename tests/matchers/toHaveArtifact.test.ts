import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { Artifact } from '../../src/protocol/model.ts'
import { failureOf, messageReply, taskReply } from './support.ts'

const report: Artifact = {
  artifactId: 'a1',
  name: 'report.md',
  parts: [
    { kind: 'text', text: '# All ' },
    { kind: 'text', text: 'green' },
  ],
}
const figures: Artifact = { artifactId: 'a2', parts: [{ kind: 'data', data: { failed: 0 } }] }
const reply = taskReply('completed', [report, figures])

test('passes by name, by id and by content', () => {
  expect(reply).toHaveArtifact('report.md')
  expect(reply).toHaveArtifact('a2')
  expect(reply).toHaveArtifact(/\.md$/, '# All green')
  expect(reply).toHaveArtifact('a2', { failed: 0 })
  expect(reply).toHaveArtifact('report.md', (_text, artifact) => artifact.parts.length === 2)
  expect(reply).not.toHaveArtifact('report.md', 'red')
  expect(messageReply('Hi.')).not.toHaveArtifact('report.md')
})

test('fails with the artifacts that there are', async () => {
  expect(await failureOf(() => expect(reply).toHaveArtifact('summary.md'))).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveArtifact("summary.md")

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: an artifact named "summary.md"
    Received: task t1 completed with the text "# All green" and 1 data part, with the artifacts "report.md" and "a2"   reply/no-artifact"
  `)
})

test('fails with the content of the one that is there', async () => {
  expect(await failureOf(() => expect(reply).toHaveArtifact('report.md', 'red'))).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveArtifact("report.md", "red")

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: an artifact named "report.md" that contains "red"
    Received: artifact "report.md" with the text "# All green"; the text does not contain "red"   reply/artifact-differs"
  `)
})

test('.not fails and says what was found', async () => {
  expect(await failureOf(() => expect(reply).not.toHaveArtifact(/report/))).toMatchInlineSnapshot(`
    "[failed] expect(reply).not.toHaveArtifact(/report/)

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: not an artifact whose name matches /report/
    Received: artifact "report.md""
  `)
})

test('misuse: no name', async () => {
  expect(await failureOf(() => (expect(reply).toHaveArtifact as () => void)())).toMatchInlineSnapshot(`
    "[error] expect(reply).toHaveArtifact()

    Error: toHaveArtifact(): \`name\` must be a non-empty string or a regular expression; received undefined."
  `)
})
