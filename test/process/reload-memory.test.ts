/** Repeated reloads must not use up the memory. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { compile } from '../../build/compiler/compile.js'
import { readDataset } from '../../build/dataset/read.js'
import { prepared, startServe } from '../support/cli.js'
import { ENGINES, FIXTURE } from '../support/service.js'
import { encodeSnapshot } from '../support/snapshot.js'
import { until } from '../support/until.js'

const MEGABYTE = 1024 * 1024

/** Writes a snapshot of the fixture that is `megabytes` larger than necessary. */
async function largeSnapshot(file: string, megabytes: number): Promise<void> {
  const dataset = await readDataset(FIXTURE)
  const document = compile(dataset)
  const blockPieces = [...document.blockPieces, new Uint8Array(megabytes * MEGABYTE)]
  writeFileSync(file, encodeSnapshot({ ...document, blockPieces }, dataset.digest))
}

const residentMegabytes = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

for (const workers of ENGINES.includes('uws') ? ['1', '2'] : ['1'])
  t.test(
    `memory of replaced datasets is freed (${workers} threads)`,
    { skip: !existsSync('/proc/self/status') && 'there is no /proc' },
    async t => {
      const env = await prepared(t)
      const LARGE = 64
      await largeSnapshot(env.HSAPI_SNAPSHOT, LARGE)
      const served = await startServe(t, { ...env, HSAPI_WORKERS: workers })
      const pid = served.child.pid as number
      const before = residentMegabytes(pid)
      for (let i = 1; i <= 8; i++) {
        served.child.kill('SIGHUP')
        await until('the snapshot is loaded', () => served.output().split('was loaded').length > i)
      }
      const isGivenBack = () => residentMegabytes(pid) < before + LARGE
      for (let n = 0; n < 100 && !isGivenBack(); n++) await wait(50)
      t.ok(isGivenBack(), `${before} MB before, ${residentMegabytes(pid)} MB after`)
      t.equal(await served.end('SIGTERM'), 0)
    },
  )
