import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { builtSnapshot, run } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const env = { HSAPI_SNAPSHOT: await builtSnapshot(t) }

t.test('rows go to standard output or to a file, with the same content', async t => {
  const out = join(temporaryDirectory(t), 'mix.csv')
  const args = ['feed', '--kind', 'urls', '--count', '20000', '--seed', '3', '--lang', 'ar', '--spread', 'uniform']
  const shown = await run(args, env)
  t.equal(shown.code, 0, shown.stderr)
  t.strictSame(await run([...args, '--out', out], env), {
    code: 0,
    stdout: `${out}: 20000 rows\n`,
    stderr: `hsapi: snapshot ${env.HSAPI_SNAPSHOT} (named by HSAPI_SNAPSHOT)\n`,
  })
  t.equal(readFileSync(out, 'utf8'), shown.stdout)
  t.equal(shown.stdout.split('\n').length, 20_002)

  const urls = ['feed', '--kind', 'urls', '--format', 'list', '--count', '20', '--url']
  const list = (await run([...urls, 'http://127.0.0.1:8080/'], env)).stdout
  t.match(list, /^(?:http:\/\/127\.0\.0\.1:8080\/[^/\n][^\n]*\n){20}$/, 'a slash at the end of --url is not doubled')
  t.equal((await run([...urls, 'http://127.0.0.1:8080'], env)).stdout, list)

  const again = await run([...args, '--out', out], env)
  t.match(again, { code: 2, stderr: /the file already exists; --force replaces it/ })
  t.equal((await run([...args, '--out', out, '--force'], env)).code, 0)
})

t.test('usage errors name the flag', async t => {
  const folder = join(temporaryDirectory(t), 'folder')
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), '')
  for (const [args, message] of [
    [[], /--kind is missing: what to write: codes, words, tariff, urls/],
    [['--kind', 'x'], /--kind is "x"; it must be codes, words, tariff or urls/],
    [['--kind', 'codes', '--lang', 'ar'], /--lang is only for --kind words or urls/],
    [['--kind', 'codes', '--format', 'list'], /--format list is only for --kind urls/],
    [['--kind', 'urls', '--format', 'vegeta'], /--url is missing: --format vegeta needs whole addresses/],
    [['--kind', 'urls', '--url', 'ftp://h'], /--url is "ftp:\/\/h"; it must be an address/],
    [['--kind', 'codes', '--count', '0'], /--count is "0"; it must be a whole number from 1 to 100000000/],
    [['--kind', 'codes', '--seed', '-1'], /--seed/],
    [['--kind', 'codes', '--out', folder], /this is not a regular file/],
    [['--kind', 'codes', '--out', join(folder, 'file', 'x')], /ENOTDIR/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await run(['feed', ...args], env)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
  }
})
