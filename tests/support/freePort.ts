import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port that nobody listens on. It is out of the range from which systems take the ports that nobody names, or a test that runs
 * beside this one could be given it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
