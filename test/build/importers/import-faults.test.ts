import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { readDataset } from '../../../build/dataset/read.js'
import { MAIN, ROOT, type Run, run } from '../../support/cli.js'
import { temporaryDirectory } from '../../support/service.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate'

function row(i: number): string {
  return `${String(850000000000 + i)},"Part number ${i}, of iron",جزء رقم ${i},5`
}

function rows(count: number): string[] {
  return Array.from({ length: count }, (_, i) => row(i))
}

interface Paths {
  directory: string
  file: string
  out: string
}

function prepare(t: Test, content: string | Buffer): Paths {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'tariff.csv')
  writeFileSync(file, content)
  return { directory, file, out: join(directory, 'out') }
}

function importGeneric({ file, out }: Paths, ...args: string[]): Promise<Run> {
  return run(['import', file, '--layout', 'generic', '--out', out, ...args])
}

function refused(t: Test, { code, stdout, stderr }: Run, message: RegExp): void {
  t.equal(code, 2, `the exit code is 2: ${stderr}`)
  t.match(stderr, message)
  t.equal(stderr.trim().split('\n').length, 1, `the error has one line: ${stderr}`)
  t.equal(stdout, '')
}

/** More rows than a stream buffers, so that the file has not been read to its end when the defect is found. */
const MANY_ROWS = 6_000

t.test('a defect in the middle of a long file is reported with its line and exit code 2', async t => {
  for (const [defect, message] of [
    ['850000,"Horses,خيول,5', /tariff\.csv:1002: the row that begins here is not valid CSV/],
    ['850000,Horses "wild",خيول,5', /tariff\.csv:1002: the row that begins here is not valid CSV/],
    ['850000,Horses,خيول', /tariff\.csv:1002: the row has 3 fields, the header 4/],
    ['850000,Horses, wild,خيول,5', /tariff\.csv:1002: the row has 5 fields, the header 4/],
  ] as [string, RegExp][]) {
    const lines = [HEADER, ...rows(MANY_ROWS)]
    lines.splice(1001, 0, defect)
    const paths = prepare(t, `${lines.join('\n')}\n`)
    refused(t, await importGeneric(paths), message)
    t.strictSame(readdirSync(paths.directory), ['tariff.csv'], 'nothing is written')
  }
})

t.test('a quote that is never closed is reported with the line of its row, without reading a long file to its end', async t => {
  const lines = [HEADER, ...rows(10)].map(line => line.replaceAll('"', '').replace(', of', ' of'))
  lines.splice(4, 0, '850000,"Horses,خيول,5')
  refused(t, await importGeneric(prepare(t, lines.join('\n'))), /tariff\.csv:5: the row that begins here/)
  const endless = Array.from({ length: 40_000 }, (_, i) => row(i).replaceAll('"', ''))
  const paths = prepare(t, [HEADER, '', '850000,"Horses,خيول,5', ...endless].join('\n'))
  refused(t, await importGeneric(paths), /tariff\.csv:3: the row that begins here.*1048576/)
})

t.test('bytes that are not UTF-8 are reported with their line, also at the end of the file and across two reads', async t => {
  const text = `${[HEADER, ...rows(MANY_ROWS)].join('\n')}\n`
  const latin = Buffer.from('850000,Caf\xe9,خ,5\n'.replace('خ', 'x'), 'latin1')
  const head = Buffer.from(text)
  refused(
    t,
    await importGeneric(prepare(t, Buffer.concat([head, latin, head]))),
    new RegExp(`tariff\\.csv:${MANY_ROWS + 2}: the file is not valid UTF-8`),
  )
  const cut = Buffer.from(`${HEADER}\n850000,Horses,خ`).subarray(0, -1)
  refused(t, await importGeneric(prepare(t, cut)), /tariff\.csv:2: the file is not valid UTF-8/)
  // a character split between two reads of 64 KiB, whose second half is missing
  for (const before of [65_534, 65_535, 65_536]) {
    const filled = `${HEADER}\n850000,${'x'.repeat(before - HEADER.length - 8)}`
    const broken = Buffer.concat([Buffer.from(filled), Buffer.from([0xd8, 0x2c]), Buffer.from('x,5\n')])
    refused(t, await importGeneric(prepare(t, broken)), /tariff\.csv:2: the file is not valid UTF-8/)
  }
})

t.test('a file without rows is refused', async t => {
  for (const content of [`${HEADER}\n`, HEADER, '\n\n\n', '\ufeff'])
    refused(t, await importGeneric(prepare(t, content)), /no rows below its header/)
  refused(t, await importGeneric(prepare(t, '')), /the file is empty/)
})

t.test('blank cells beyond the header are ignored', async t => {
  const paths = prepare(t, `${HEADER}\n8501,Motors,محركات,5,,\n`)
  t.equal((await importGeneric(paths)).code, 0)
})

t.test('the file of --rates is checked like the imported file', async t => {
  const paths = prepare(t, `${HEADER}\n8501,Motors,محركات,5\n`)
  const rates = join(paths.directory, 'rates.csv')
  for (const [content, message] of [
    ['code,rate\n\n8501,"5\n', /--rates .*rates\.csv:3: the row that begins here is not valid CSV/],
    ['code,rate\n\n8501,much\n', /--rates .*rates\.csv:3: .*8501, much/],
    [Buffer.from('code,rate\n8501,5\xe9', 'latin1'), /--rates .*rates\.csv:2: .*UTF-8/],
  ] as [string | Buffer, RegExp][]) {
    writeFileSync(rates, content)
    refused(t, await importGeneric(paths, '--rates', rates), message)
  }
  refused(t, await importGeneric(paths, '--rates', paths.directory), /--rates .*directory/)
})

t.test('a path that is not a readable file is refused in one line', async t => {
  const paths = prepare(t, `${HEADER}\n8501,Motors,محركات,5\n`)
  for (const [file, message] of [
    ['.', /\.: this is a directory/],
    ['/dev/null', /\/dev\/null: this is not a regular file/],
    [join(paths.file, 'x'), /ENOTDIR/],
  ] as [string, RegExp][])
    refused(t, await importGeneric({ ...paths, file }), message)
})

/** Imports in a shell that first runs the command, without the test runner's variables. */
function importUnder({ file, out }: Paths, command: string, user: { uid?: number; gid?: number } = {}): Run {
  const shell = ['-c', `unset NODE_OPTIONS NODE_V8_COVERAGE; ${command} exec "$0" "$@"`, process.execPath]
  const args = [...shell, MAIN, 'import', file, '--layout', 'generic', '--out', out]
  const { status, stdout, stderr } = spawnSync('/bin/sh', args, { encoding: 'utf8', cwd: ROOT, ...user })
  return { code: status, stdout, stderr }
}

t.test('a file without read permission is refused in one line', async t => {
  const paths = prepare(t, `${HEADER}\n8501,Motors,محركات,5\n`)
  chmodSync(paths.directory, 0o755)
  chmodSync(paths.file, 0o000)
  // root can read every file, so the import runs as another user
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  refused(t, importUnder(paths, '', nobody), /tariff\.csv: EACCES/)
})

t.test('names of built-in object properties are not layouts', async t => {
  const paths = prepare(t, `${HEADER}\n8501,Motors,محركات,5\n`)
  for (const layout of ['__proto__', 'constructor', 'toString', '']) {
    const result = await run(['import', paths.file, '--layout', layout, '--out', paths.out])
    refused(t, result, new RegExp(`--layout is "${layout}"; it must be gcc12, zatca, dubai, us-hts`))
  }
})

t.test('an import writes everything or nothing', async t => {
  const paths = prepare(t, `${[HEADER, ...rows(MANY_ROWS)].join('\n')}\n`)
  // a limit on the file size makes writing fail as on a full disk
  refused(t, importUnder(paths, 'ulimit -f 100;'), /--out .*out: EFBIG/)
  t.strictSame(readdirSync(paths.directory), ['tariff.csv'], 'a failed import leaves no files')
})

t.test('a full disk is reported in one line, and no incomplete file remains', async t => {
  const paths = prepare(t, `${[HEADER, ...rows(MANY_ROWS)].join('\n')}\n`)
  const disk = join(paths.directory, 'disk')
  mkdirSync(disk)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk])
  if (mounted.status !== 0) return void t.pass('not tested', { skip: 'mounting a small disk needs privileges' })
  t.teardown(() => spawnSync('umount', [disk]))
  refused(t, await importGeneric({ ...paths, out: join(disk, 'out') }), /--out .*out: ENOSPC/)
  t.strictSame(readdirSync(disk), [])
})

t.test('an unusable --out is reported before the file is read', async t => {
  const paths = prepare(t, 'not, a "tariff')
  mkdirSync(paths.out)
  writeFileSync(join(paths.out, 'mine'), '')
  refused(t, await importGeneric(paths), /--out .*exists and is not empty/)
  t.strictSame(readdirSync(paths.out), ['mine'])
  refused(t, await importGeneric({ ...paths, out: paths.file }), /--out .*tariff\.csv: .*not a directory/)
})

t.test('an import into an existing empty directory succeeds', async t => {
  const paths = prepare(t, `${HEADER}\n8501,Motors,محركات,5\n`)
  mkdirSync(paths.out)
  t.equal((await importGeneric(paths)).code, 0)
  t.strictSame(readdirSync(paths.out).sort(), ['chapters', 'manifest.json'])
  t.strictSame(readdirSync(paths.directory).sort(), ['out', 'tariff.csv'])
})

/** Starts an import and kills it once its temporary directory exists. Returns the name of that directory. */
async function killWhileWriting({ directory, file, out }: Paths): Promise<string | undefined> {
  const args = [MAIN, 'import', file, '--layout', 'generic', '--out', out]
  const child = spawn(process.execPath, args, { stdio: 'ignore', cwd: ROOT })
  const ended = new Promise(resolve => child.on('close', resolve))
  let temporary: string | undefined
  while (temporary === undefined && child.exitCode === null) {
    temporary = readdirSync(directory).find(name => name.startsWith('.out'))
    await new Promise(resolve => setImmediate(resolve))
  }
  child.kill('SIGKILL')
  await ended
  return temporary
}

t.test('a killed import leaves no dataset, and the next import deletes its temporary files', async t => {
  const lines = rows(MANY_ROWS).map((line, i) => String(10 + (i % 80)) + line.slice(2))
  const paths = prepare(t, `${[HEADER, ...lines].join('\n')}\n`)
  let killed = 0
  for (let round = 0; round < 3; round++) {
    const temporary = await killWhileWriting(paths)
    if (temporary === undefined || existsSync(paths.out)) continue
    killed++
    t.ok(existsSync(join(paths.directory, temporary)), 'the killed import left temporary files')
  }
  t.ok(
    killed > 0 || existsSync(paths.out),
    'an import was killed while it was writing, or an import finished before it could be killed',
  )
  if (killed === 0) return
  const ofOtherProgram = `.${basename(paths.out)}.mine.tmp-abcdef`
  mkdirSync(join(paths.directory, ofOtherProgram))
  const ofRunningProcess = `.${basename(paths.out)}.${process.pid}.tmp-abcdef`
  mkdirSync(join(paths.directory, ofRunningProcess))
  const { code, stderr } = await importGeneric(paths)
  t.equal(code, 0, stderr)
  t.strictSame(
    readdirSync(paths.directory).sort(),
    [ofOtherProgram, ofRunningProcess, 'out', 'tariff.csv'].sort(),
    'temporary files of a running process or of another program are kept',
  )
  const { rows: written, defects } = await readDataset(paths.out)
  t.strictSame(defects, [])
  t.equal(written.filter(({ hs_code }) => hs_code.length === 12).length, MANY_ROWS)
})

t.test('a file with more rows than fit into memory is refused in one line', async t => {
  const paths = prepare(t, `${[HEADER, ...rows(150_000)].join('\n')}\n`)
  const small = importUnder(paths, 'NODE_OPTIONS=--max-old-space-size=40; export NODE_OPTIONS;')
  refused(t, small, /tariff\.csv: memory is full after [0-9]+ rows; .*--max-old-space-size=[0-9]+/)
})

t.test('the descriptions of 40,000 lines named only "Other" under one code are completed', async t => {
  const lines = Array.from({ length: 40_000 }, (_, i) => `8501${String(i).padStart(8, '0')},Other,غيرها,5`)
  const paths = prepare(t, `${[HEADER, '8501,Motors,محركات,5', ...lines].join('\n')}\n`)
  const { stdout } = await importGeneric(paths, '--self-contained')
  t.match(stdout, /lines whose texts were completed from the codes above: 40000/)
})

t.test('a chapter of hundreds of thousands of lines is imported and read back', async t => {
  const count = 150_000
  const paths = prepare(t, `${[HEADER, ...rows(count)].join('\n')}\n`)
  const { code, stdout, stderr } = await importGeneric(paths)
  t.equal(code, 0, stderr)
  t.match(stdout, new RegExp(`${count} rows read`))
  t.equal(readFileSync(join(paths.out, 'chapters', '85.csv'), 'utf8').split('\n').length, count + 3)
  const check = await run(['check', '--dataset', paths.out])
  t.equal(check.code, 0, check.stderr)
})
