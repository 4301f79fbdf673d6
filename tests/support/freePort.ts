import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port with no listener. It is outside the range from which systems assign ports: otherwise a test that runs
 * in parallel could get it in the meantime.
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
