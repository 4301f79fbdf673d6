import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { excerptsOf } from '../../src/agent/lifetime.ts'
import { startAgent, type StartedAgent, type StartOptions } from '../../src/agent/start.ts'
import { systemDeps, type Deps } from '../../src/core/deps.ts'
import { CARD03 } from '../support/fixture.ts'
import { manualClock } from '../support/manualClock.ts'
import { isAlive } from './alive.ts'
import { runScript } from './childScript.ts'

const card = JSON.stringify({ ...CARD03, url: 'http://localhost:9/rpc' })
const reply = { kind: 'message', messageId: 'm1', role: 'agent', parts: [{ kind: 'text', text: 'All set.' }] }

/** An agent as one line of JavaScript; `before` runs for each request and may answer it. */
function script({ before = '', port = 'process.env.PORT' } = {}): string {
  return `
    const { createServer } = require('node:http')
    let n = 0
    createServer((req, res) => {
      n++
      ${before}
      if (req.method === 'GET') return res.end(JSON.stringify(${card}))
      let body = ''
      req.on('data', (chunk) => (body += chunk))
      req.on('end', () => res.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: ${JSON.stringify(reply)} })))
    }).listen(${port}, '127.0.0.1', () => console.log('listening'))
  `
}

async function start(options: StartOptions): Promise<StartedAgent> {
  const agent = await startAgent(options)
  onTestFinished(() => agent.stop())
  return agent
}

const failure = (options: Partial<StartOptions>, deps: Partial<Deps> = {}): Promise<Error> =>
  startAgent(options as StartOptions, systemDeps(deps)).then(
    () => expect.unreachable('it started'),
    (error: unknown) => error as Error,
  )

test('runs a command on a free port, and calls it there whatever its card says', async () => {
  const agent = await start({ command: [process.execPath, '-e', script()] })

  expect((await agent.send('Hello')).text).toBe('All set.')
  expect(agent.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(agent.output()).toBe('listening\n')
  expect(agent.pid).toBeGreaterThan(0)
  // Requests made before the agent was ready are not recorded.
  expect(agent.exchanges.map(({ method }) => method)).toEqual(['GET', 'POST'])
})

test('puts the port into the arguments, and takes a shell line, a folder and variables', async () => {
  const inArguments = await start({
    command: [process.execPath, '-e', script({ port: 'process.argv[1]' }), '{port}'],
  })
  const inShell = await start({
    command: `"${process.execPath}" -e 'console.log(process.cwd(), process.env.DESK, process.env.HOME); eval(process.env.AGENT)'`,
    cwd: '/',
    env: { AGENT: script(), DESK: 'blue', HOME: undefined },
  })

  expect((await inArguments.send('Hello')).text).toBe('All set.')
  expect(inShell.output()).toBe('/ blue undefined\nlistening\n')
})

test('waits while the card answers 404 or 503', async () => {
  const before = 'if (n < 9) { res.statusCode = n % 2 ? 404 : 503; return res.end() }'
  const agent = await start({ command: [process.execPath, '-e', script({ before })] })

  expect((await agent.card()).report.card).toMatchObject({ name: 'Echo Desk' })
})

test('keeps waiting when the agent comes up between two card locations', async () => {
  const before =
    'if (n % 2) return req.socket.destroy(); if (n < 9) { res.statusCode = 404; return res.end() }'
  const agent = await start({ command: [process.execPath, '-e', script({ before })] })

  expect(agent.output()).toBe('listening\n')
  expect((await agent.card()).report.card).toMatchObject({ name: 'Echo Desk' })
})

test('does not wait after any other answer: matchers check it', async () => {
  const before = 'res.statusCode = 401; return res.end()'
  const agent = await start({ command: [process.execPath, '-e', script({ before })] })

  expect((await agent.card()).discovery.attempts[0]).toMatchObject({ status: 401 })
})

test('reports how an agent ended before its card answered, with its last output', async () => {
  const command = [process.execPath, '-e', "console.error('Error: no such model'); process.exit(3)"] as const

  const error = await failure({ command })

  expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'AGENT_DID_NOT_START' })
  expect(error.message).toMatchInlineSnapshot(`
    "the agent exited with code 3 before its card answered.

    Last output of the agent, which exited with code 3:
      Error: no such model"
  `)
})

test('reports that a command was not found', async () => {
  expect((await failure({ command: ['no-such-agent'] })).message).toMatchInlineSnapshot(
    `"the agent could not be started: "no-such-agent" was not found. It printed nothing."`,
  )
  expect((await failure({ command: ['node', 'agent.js'], cwd: '/no/such/folder' })).message).toContain(
    'could not be started: "node" in "/no/such/folder" was not found',
  )
})

test('gives up after readyTimeoutMs, and ends the process', async () => {
  const ready = join(await mkdtemp(join(tmpdir(), 'start-')), 'ready')
  onTestFinished(() => rm(dirname(ready), { recursive: true }))
  const script = `console.log('pid ' + process.pid); require('fs').writeFileSync(${JSON.stringify(ready)}, ''); setInterval(() => {}, 1000)`
  const clock = manualClock()

  const failing = failure({ command: [process.execPath, '-e', script], readyTimeoutMs: 700 }, { clock })
  await expect.poll(() => [existsSync(ready), clock.sleeps.length]).toEqual([true, 1])
  await clock.advance(700)
  const error = await failing

  expect(error.message.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>').replace(/pid \d+/, 'pid <n>'))
    .toMatchInlineSnapshot(`
    "the agent runs, but returned no card at http://127.0.0.1:<port> within 700 ms (readyTimeoutMs); the last answer: could not connect to 127.0.0.1:<port>: connection refused.

    Last output of the agent:
      pid <n>"
  `)
  const pid = Number(/pid (\d+)/.exec(error.message)?.[1])
  expect(isAlive(pid)).toBe(false)
})

test('never prints a secret that the agent prints', async () => {
  const agent = await start({
    command: [process.execPath, '-e', `console.log('key s3cret-token'); ${script()}`],
    credentials: { bearer: 's3cret-token' },
  })

  expect(excerptsOf(agent)).toEqual([{ label: 'Last output of the agent', text: 'key ***\nlistening' }])
})

test('shows the output of a process that exited', async () => {
  const agent = await start({ command: [process.execPath, '-e', script()] })

  process.kill(agent.pid, 'SIGKILL')

  await expect
    .poll(() => excerptsOf(agent)[0]?.label)
    .toBe('Last output of the agent, which was ended by SIGKILL')
})

test('stop(), close() and `await using` end the process', async () => {
  let pid = 0
  {
    await using agent = await startAgent({ command: [process.execPath, '-e', script()] })
    pid = agent.pid
  }
  expect(isAlive(pid)).toBe(false)
})

test('rejects a fixed port that is in use', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const { port } = holder.address() as { port: number }

  const error = await failure({ command: ['node'], port })

  expect(error).toMatchObject({
    code: 'AGENT_DID_NOT_START',
    message: `port ${port} of 127.0.0.1 is already in use`,
  })
})

test.each([[[]], [''], [['']], [undefined], [['node', 4100]]])('misuse: command %j', async (command) => {
  expect(await failure({ command } as never)).toMatchObject({
    code: 'BAD_OPTIONS',
    message: expect.stringMatching(/^startAgent\(\): `command` must be an array of file and arguments/),
  })
})

test('a process that starts an agent and never stops it exits on its own, and so does the agent', async () => {
  const { output, code } = await runScript(`
    import { startAgent } from 'src/agent/start.ts'
    const agent = await startAgent({ command: [process.execPath, '-e', ${JSON.stringify(script())}] })
    console.log('pid ' + agent.pid)
  `)

  expect(code).toBe(0)
  const pid = Number(/^pid (\d+)\n$/.exec(output)?.[1])
  await expect.poll(() => isAlive(pid)).toBe(false)
})
