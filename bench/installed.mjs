// The package as a user has it: a copy of dist below a node_modules folder of its own. A copy also keeps a build that runs at the
// same time from changing what is measured.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { remove, root, scratch } from '../scripts/consumer.mjs'

/** Makes a project that has expect-a2a installed, and everything else that this repository has. */
export function makeProject() {
  const folder = scratch('bench')
  const home = join(folder, 'node_modules', 'expect-a2a')
  mkdirSync(home, { recursive: true })
  cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(home, 'package.json'))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of [...Object.keys(dependencies), 'vitest', 'expect']) {
    const place = join(folder, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), place, 'junction')
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'bench', private: true, type: 'module' }),
  )
  return { folder, entry: (name) => join(home, 'dist', `${name}.js`), remove: () => remove(folder) }
}
