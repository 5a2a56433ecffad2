/** Describes the machine, because figures of one machine mean little on another. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, availableParallelism, release, totalmem } from 'node:os'

/** Some programs print their version on stderr, and wrk exits with 1 after printing it. */
function output(command) {
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  return stdout + stderr
}

/** Reads the processor model from /proc/cpuinfo; with some kernels only lscpu finds it. */
function cpuModel() {
  const named = /model name\s*:\s*(.+)/.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]
  return named ?? /Model name:\s*(.+)/.exec(output('lscpu'))?.[1] ?? 'unknown'
}

export function machine() {
  return {
    cpu: `${cpuModel()} (${arch()})`,
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kernel: release(),
    wrk: /wrk (\S+)/.exec(output('wrk -v'))?.[1] ?? 'none',
    nginx: /nginx\/(\S+)/.exec(output('nginx -v'))?.[1] ?? 'none',
  }
}
