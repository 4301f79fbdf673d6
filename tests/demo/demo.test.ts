import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startModelServer, type SeenRequest } from '../support/modelServer.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Run {
  code: number | null
  output: string
}

function demo(cwd: string, own: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve) => {
    // What this machine has set for models is not for these runs.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(FORCE_COLOR$|CI$|OPENAI_|A2A_)/.test(name)),
    )
    const child = spawn(process.execPath, ['scripts/demo.mjs'], {
      cwd,
      env: { ...env, NO_COLOR: '1', ...own },
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (output += String(chunk)))
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** A copy of what the demo needs; of the healthy specs it has one. */
async function copied(spec: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'a2a-demo-'))
  for (const part of ['scripts', 'examples', 'dist', 'package.json']) {
    await cp(join(root, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  }
  for (const file of await readdir(join(copy, 'examples'))) {
    if (file.endsWith('.spec.ts') && file !== spec) await rm(join(copy, 'examples', file))
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
  copies.push(copy)
  return copy
}

/** Changes files of a copy, so that the demo can be seen to turn red. */
async function patch(copy: string, changes: Record<string, (text: string) => string>): Promise<void> {
  for (const [file, change] of Object.entries(changes)) {
    const before = await readFile(join(copy, file), 'utf8')
    const after = change(before)
    expect(after, `the patch of ${file} changes something`).not.toBe(before)
    await writeFile(join(copy, file), after)
  }
}
const copies: string[] = []
afterAll(() => Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true }))))

describe('npm run demo', () => {
  let run: Run
  beforeAll(async () => {
    run = await demo(root)
  })

  test('is green, and prints a table of what was checked', () => {
    expect(run.output).toMatch(
      /✓ 9 agents, \d+ checks, 2 failed as expected(, 1 test skipped)?, [\d.]+ s\. No API key needed; nothing left this machine\./,
    )
    expect(run.code).toBe(0)
    for (const agent of [
      'test-runner',
      'code-reviewer',
      'deployer',
      'Studio',
      'Helpdesk',
      'Broken helpdesk',
      'Vague helpdesk',
    ]) {
      expect(run.output).toMatch(new RegExp(`^  ${agent} +to\\w+`, 'm'))
    }
    expect(run.output).toMatch(/Broken helpdesk +toHaveValidAgentCard +✗ failed +error card\/url/)
    expect(run.output).toMatch(
      /Vague helpdesk +toPassConversation +✗ failed +error criterion\/not-met timeline/,
    )
  })

  test('shows what the tests of the broken agents print', () => {
    const [, card = '', conversation = ''] = run.output.split(
      'Broken on purpose. This is what its test prints:',
    )
    expect(card).toContain('[failed] expect(agent).toHaveValidAgentCard()')
    expect(card).toContain('"/a2a"')
    expect(card).toContain('card/url')
    expect(conversation).toContain(
      '[failed] expect(agent).toPassConversation({ script: …, successCriteria: … })',
    )
    expect(conversation).toContain(
      'not met: timeline "The agent gives a timeline for the refund", after 2 turns',
    )
    expect(conversation).toContain('2 user   It is order #4411')
  })

  test('prints no colour unless asked to', () => {
    expect(run.output).not.toContain('\u001B')
  })
})

// demoReport.test.ts tests each of these reasons on its own. A demo run takes seconds, so here they share one.
test('fixing what is broken on purpose, and breaking what is healthy, turns the demo red', async () => {
  const copy = await copied('helpdesk.spec.ts')
  await patch(copy, {
    'examples/broken-agent/agent.ts': (text) =>
      text.replace(/, faults\.card\('url', '\/a2a'\)/, '').replace('timeline: false', 'timeline: true'),
    'examples/helpdesk.spec.ts': (text) =>
      text.replace('startHelpdesk()', 'startHelpdesk({ timeline: false })'),
  })

  const { code, output } = await demo(copy)

  expect(output).toContain(
    'broken-agent/broken-agent.spec.ts › other agents can find and call it: passed, but this agent is broken on purpose and must fail.',
  )
  expect(output).toContain(
    'broken-agent/vague-agent.spec.ts › it says when the money of a refund arrives: passed, but this agent is broken on purpose and must fail.',
  )
  expect(output).toMatch(/helpdesk\.spec\.ts › it refunds .*: failed, but this agent is healthy\./)
  expect(code).toBe(1)
})

test('what needs a model and has none is skipped, and said to be', async () => {
  const copy = await copied('refund.spec.ts')
  await rm(join(copy, 'examples/a2a-cassettes'), { recursive: true, force: true })

  const { code, output } = await demo(copy)

  expect(output).toContain(
    '  SKIPPED  refund.spec.ts › it refunds a simulated customer, decided by a judge: set OPENAI_API_KEY, or OPENAI_BASE_URL for a model of your own\n',
  )
  expect(output).toMatch(
    /✓ 3 agents, 3 checks, 2 failed as expected, 1 test skipped, [\d.]+ s\. No API key needed; /,
  )
  expect(code).toBe(0)
})

describe('with a model', () => {
  /** Plays a customer that is content at once, or the judge, who is asked by a schema with verdicts. */
  const answering =
    (timeline: object) =>
    ({ body }: SeenRequest): { data: unknown } => {
      const { properties = {} } = (body.response_format?.json_schema?.schema ?? {}) as {
        properties?: Record<string, unknown>
      }
      if (!('verdicts' in properties)) {
        return { data: { thought: 'Thanks.', status: 'goal_reached', message: null } }
      }
      const quote = 'One of the two charges for order #4411 has been refunded.'
      const c1 = { evidence: [{ turn: 1, quote }], reason: 'It says so.', verdict: 'met' }
      return { data: { verdicts: { c1, c2: timeline }, injection: { found: false, turn: null } } }
    }

  test('runs the simulated and judged conversation, and lists it', async () => {
    const quote = 'The money arrives within 5 to 7 business days.'
    await using server = await startModelServer(
      answering({ evidence: [{ turn: 1, quote }], reason: 'It says so.', verdict: 'met' }),
    )

    const { code, output } = await demo(await copied('refund.spec.ts'), {
      OPENAI_BASE_URL: server.baseURL,
      A2A_JUDGE_MODEL: 'small-judge',
      // There cassettes are played unless somebody says otherwise.
      CI: '1',
    })

    expect(output).toMatch(/Helpdesk +toPassConversation ×2 +✓ passed/)
    expect(output).not.toContain('SKIPPED')
    expect(output).toMatch(
      new RegExp(
        `✓ 3 agents, 4 checks, 2 failed as expected, [\\d.]+ s\\. Asked gpt-5-mini and small-judge at ${new URL(server.origin).host}; nothing left this machine\\.`,
      ),
    )
    expect(code).toBe(0)
    expect(server.requests.map(({ body }) => body.model)).toEqual(['gpt-5-mini', 'small-judge'])
  })

  test('a judge that does not find the timeline turns the demo red, and so does another fault than the one on purpose', async () => {
    await using server = await startModelServer(
      answering({ evidence: [], reason: 'It names no day.', verdict: 'not_met' }),
    )

    const copy = await copied('refund.spec.ts')
    await patch(copy, {
      'examples/broken-agent/agent.ts': (text) =>
        text.replace("faults.card('url', '/a2a')", "faults.card('description', undefined)"),
    })

    const { code, output } = await demo(copy, { OPENAI_BASE_URL: server.baseURL })

    expect(output).toMatch(/failed, but not with card\/url; it found card\//)
    expect(output).toContain('✗ c2  The agent gives a timeline for the refund')
    expect(output).toContain(
      'refund.spec.ts › it refunds a simulated customer, decided by a judge: failed, but this agent is healthy.',
    )
    expect(code).toBe(1)
  })
})
