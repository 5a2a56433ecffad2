import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { builtSnapshot, MAIN } from '../support/cli.js'
import { FIXTURE, temporaryDirectory } from '../support/service.js'

/** The `script` of util-linux, which gives a command a terminal. */
const hasTerminal = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') === true

/** Everything that the terminal receives, in order. */
function onTerminal(args: string[], env: Record<string, string> = {}): Promise<string> {
  const command = [process.execPath, MAIN, ...args].map(word => `'${word}'`).join(' ')
  return new Promise(resolve => {
    const all = { PATH: process.env.PATH ?? '', ...env }
    execFile('script', ['-qec', command, '/dev/null'], { env: all }, (_error, stdout) => resolve(stdout))
  })
}

t.test('on a terminal, the progress of a command is shown', { skip: !hasTerminal }, async t => {
  const HSAPI_SNAPSHOT = await builtSnapshot(t)
  const folder = temporaryDirectory(t)
  const table = join(folder, 'in.csv')
  writeFileSync(table, `code,en,ar\n${'852321,card,بطاقة\n'.repeat(20_000)}`)
  const bar = /\r\u001b\[Kin\.csv \[[#.]{30}\] \d+ rows/
  t.match(await onTerminal(['enrich', table, '--column', '1', '--out', join(folder, 'o.csv')], { HSAPI_SNAPSHOT }), bar)
  const words = ['enrich', table, '--words', 'en', '--out', join(folder, 'w.csv')]
  t.match(await onTerminal(words, { HSAPI_SNAPSHOT }), bar)
  t.match(await onTerminal(['import', table, '--layout', 'generic', '--out', join(folder, 'tariff')]), bar)
  const built = await onTerminal(['build', '--dataset', FIXTURE, '--out', join(folder, 'x.snapshot')])
  t.match(built, /\r\u001b\[Kx\.snapshot \[\.{30}\] reading/)
  t.match(built, /\r\u001b\[K\S*x\.snapshot: \d+ records/, 'the progress is removed at the end')
})

t.test('on a terminal, the title is bold unless NO_COLOR is set', { skip: !hasTerminal }, async t => {
  const HSAPI_SNAPSHOT = await builtSnapshot(t)
  t.match(await onTerminal(['search', 'phones'], { HSAPI_SNAPSHOT }), '\u001b[1mcode')
  t.notMatch(await onTerminal(['search', 'phones'], { HSAPI_SNAPSHOT, NO_COLOR: '1' }), '\u001b')
})
