import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own for a test, removed when that ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'expect-a2a-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
