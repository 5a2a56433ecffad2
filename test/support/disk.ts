/** Mounts a small disk that a test can fill, which only root can do. */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryDirectory } from './service.js'

const SIZE = 'size=256k'
const PAGE = Buffer.alloc(4_096)

/** The reason to skip tests that need a small disk, or false. */
export const WITHOUT_DISK =
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0
    ? false
    : 'a small disk cannot be mounted here'

export interface SmallDisk {
  path: string
  /** Writes a file until the disk is full. */
  fill(): void
  free(): void
}

export function smallDisk(t: Test): SmallDisk {
  const path = join(temporaryDirectory(t), 'disk')
  mkdirSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', SIZE, 'tmpfs', path])
  t.teardown(() => void execFileSync('umount', ['-l', path]))
  const filling = join(path, 'filling')
  return {
    path,
    fill: () => {
      const file = openSync(filling, 'w')
      try {
        for (;;) writeSync(file, PAGE)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filling),
  }
}
