import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a script in a separate Node process; it may import `src/…`. Resolves when the process ends. */
export async function runScript(
  script: string,
): Promise<{ code: number | null; signal: string | null; output: string }> {
  // Inside the project, so that packages are found.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'script-'))
  try {
    const entry = join(folder, 'script.ts')
    await writeFile(entry, script.replaceAll("from 'src/", `from '${root}src/`))
    await build({
      root,
      logLevel: 'silent',
      configFile: false,
      ssr: { noExternal: true, external: ['undici'] },
      build: { ssr: entry, outDir: folder, emptyOutDir: false, target: 'node20' },
    })
    const child = spawn(process.execPath, [join(folder, 'script.js')], { cwd: root })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    }
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    return { code, signal, output }
  } finally {
    await rm(folder, { recursive: true })
  }
}
