import { spawnSync } from 'node:child_process'

/** True while a process runs. An orphan may stay as a zombie where process 1 collects none: that is dead enough. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z]/.test(stdout.trim())
}
