/** The paste box: how pasted text is read, and the results for many codes. */
import { readFileSync } from 'node:fs'
import { readSheet } from 'read-excel-file/node'
import t, { type Test } from 'tap'
import { codeInCell, looksLikeCode } from '../../src/codes/in-text.js'
import { ROWS_MAX, readPasted } from '../../src/web/app/shipment/paste.js'
import { decodeText } from '../../src/web/app/shipment/read-file.js'
import { strings } from '../../src/web/app/text/strings.js'
import { barriers, look, openPages, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'
import { prepared, run } from '../support/cli.js'

/** As Excel saves CSV on an Arabic Windows. */
function windows1256(text: string): Buffer {
  const decoder = new TextDecoder('windows-1256')
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Buffer.from(Array.from(text, char => byteOf.get(char) ?? 63))
}

t.test('codes alone are read, however they are strung together', async t => {
  const codes = (text: string) => readPasted(text).rows.map(row => row[0])
  t.strictSame(codes('8517.13\n10121\n0902 10\n\n'), ['8517.13', '10121', '0902 10'])
  t.strictSame(codes('851713, 010121;0902\t85'), ['851713', '010121', '0902', '85'])
  t.strictSame(codes('\ufeff٨٥١٧١٣\r\n8.5171E+11'), ['٨٥١٧١٣', '8.5171E+11'])
  t.strictSame(codes('HS code\n851713'), ['851713'], 'a heading is none')
  t.strictSame(codes('no codes here'), ['no codes here'], 'left to the API to refuse')
})

t.test('blank lines keep their rows, so that results line up with what was pasted', async t => {
  t.strictSame(readPasted('8517.13\r\n\r\n  \r\n0902\r\n\r\n').rows, [['8517.13'], [''], [''], ['0902']])
  t.strictSame(readPasted('\n851713\n0902').rows, [[''], ['851713'], ['0902']])
  t.strictSame(readPasted('\nHS code\n\n851713').rows, [[''], ['851713']], 'below the heading')
  const table = readPasted('item,code\nPhones,851713\n\n,\nTea,0902\n')
  t.strictSame(table.rows, [['Phones', '851713'], [''], ['', ''], ['Tea', '0902']])
  t.equal(table.column, 1)
})

t.test('words before a code are not part of it', async t => {
  for (const one of [
    'HS 8471.30',
    'HS8471.30',
    'hs: 8471.30',
    'H.S. Code: 8471.30',
    'HS-8471.30',
    'HSN 8471.30',
    'رمز 8471.30',
  ]) {
    t.equal(codeInCell(one), '8471.30', one)
    t.ok(looksLikeCode(one), one)
  }
  for (const one of ['horses', 'HS', 'HS code', 'shs 12']) t.equal(codeInCell(one), one)
})

t.test('a file’s text is read in the encoding that it was saved in', async t => {
  const text = 'رمز,صنف\n851713,هاتف'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  t.equal(decodeText(Buffer.from(text)), text)
  t.equal(decodeText(Buffer.from(`\ufeff${text}`)), text)
  t.equal(decodeText(utf16), text)
  t.equal(decodeText(Buffer.from(utf16).swap16()), text)
  t.equal(decodeText(windows1256(text)), text)
  t.equal(decodeText(Buffer.from('PK\u0003\u0004\u0000')), null, 'no text')
  t.equal(decodeText(new Uint8Array()), '')
})

t.test('of a table the column that holds codes is taken', async t => {
  const column = (text: string) => readPasted(text).column
  t.equal(column('item,hs code,value\nPhones,8517.13,12000\nHorses,10121,80000'), 1)
  t.equal(column('2024\t851713\tPhones\n2023\t010121\tHorses'), 1, 'years are not codes')
  t.equal(column('"Tea, green";"090210";"3"\n"He said ""hi""";"851713";"1"'), 1, 'quotes hold separators')
  const quoted = readPasted('a,code\n"two\nlines",851713\n"x ""y""",010121')
  t.strictSame(quoted.rows, [
    ['two\nlines', '851713'],
    ['x "y"', '010121'],
  ])
  t.strictSame(quoted.header, ['a', 'code'])
  t.equal(readPasted('851713,12\n010121,500').header, null, 'without a heading nothing is taken for one')
  const long = readPasted(`code,item\n${'851713,x\n'.repeat(ROWS_MAX + 5)}`)
  t.equal(long.rows.length, ROWS_MAX)
  t.ok(long.isCut)
})

t.test('a code is told from what is none', async t => {
  for (const one of ['85', '8517.13', '0902 10', "'010121", '8517-13-00', 'HS 8517', '٨٥١٧', '8.5E+11'])
    t.ok(looksLikeCode(one), one)
  for (const one of ['', '8', 'tea', '12 kg', '123456789012345', '85a']) t.notOk(looksLikeCode(one), one)
})

t.test('checking', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('a pasted table comes back with status, code, words and rate, also as a file', async t => {
    const { page, complaints } = await pages.visit(t, '/check')
    await page
      .locator('#codes')
      .fill('item,hs code\nPhones,8517.13\nHorses,10121\nOld,851712\n=1+1,nothing\nGone;=2+2;@x,8.5171E+11')
    t.equal(await page.locator('#column').inputValue(), '1')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('.checked tbody tr').nth(4).waitFor()
    const rows = await page.locator('.checked tbody tr').allTextContents()
    t.match(rows[0], /8517\.13.*Corrected.*851713.*Smartphones/)
    t.match(rows[1], /10121.*Corrected.*010121/)
    t.match(rows[2], /851712.*Unknown.*851713/)
    t.match(rows[3], /nothing.*No code/)
    t.match(rows[4], /Scientific notation/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n')
    t.equal(lines[0], '\ufeffitem,hs code,status,hs_code,description_en,description_ar,tariff_rate,lines,candidates')
    t.equal(lines[1], 'Phones,8517.13,normalised,851713,Smartphones,هواتف ذكية,0,1,')
    t.match(lines[4], /^'=1\+1,/, 'a spreadsheet runs nothing')
    t.match(lines[5], /^"Gone;'=2\+2;'@x",/, 'nor one that splits at semicolons')
    await page.locator('.counts label', { hasText: 'Unknown' }).click()
    t.equal(await page.locator('.checked tbody tr').count(), 1)
    t.match(page.url(), /\/check\?codes=8517\.13/)
    await page.locator('.counts label').first().click()
    await page.reload()
    await page.locator('.checked tbody tr').nth(4).waitFor()
    t.strictSame(complaints, [])
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`the Excel file and the copied column keep zeros and rows (${lang})`, async t => {
      const words = strings[lang]
      const { page, complaints } = await pages.visit(t, `/check?lang=${lang}`, { lang })
      await page.locator('#codes').fill('item,hs code,value\n=1+1,HS 0101.21,12000\n\nCattle,010221,007\nPhones,8517.13,3.5')
      await page.getByRole('button', { name: words.checkGo, exact: true }).click()
      await page.locator('.checked tbody tr').nth(3).waitFor()
      const statuses = await page.locator('.checked .status').allTextContents()
      t.strictSame(
        statuses,
        ['normalised', 'blank', 'found', 'normalised'].map(one => words.status[one]),
      )
      const download = async (name: string) => {
        const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
        return file.path()
      }
      const rows = await readSheet(await download(words.checkExcel))
      const blank = Array.from({ length: 10 }, () => null)
      t.strictSame(
        rows.map(row => row.slice(0, 5)),
        [
          ['item', 'hs code', 'value', 'status', 'hs_code'],
          ['=1+1', 'HS 0101.21', 12000, 'normalised', '010121'],
          blank.slice(0, 5),
          ['Cattle', '010221', '007', 'found', '010221'],
          ['Phones', '8517.13', 3.5, 'normalised', '851713'],
        ],
      )
      t.match(rows[4], [/./, /./, 3.5, /./, /./, 'Smartphones', 'هواتف ذكية', 0, 1])
      const lines = readFileSync(await download(words.checkDownload), 'utf8').split('\r\n')
      t.equal(lines[2], ',,,,,,,,,', 'blank in CSV, too')
      await page.locator('[data-copy=codes]').click()
      await page.locator('[data-copy=codes]', { hasText: words.copied }).waitFor()
      t.equal(await look(page, 'navigator.clipboard.readText()'), 'hs_code\n010121\n\n010221\n851713')
      t.match(
        await look(page, `navigator.clipboard.read().then(([one]) => one.getType('text/html')).then(html => html.text())`),
        /<td[^>]*>010121<\/td>/,
      )
      t.strictSame(await barriers(page), [])
      t.strictSame(complaints, [])
    })

  t.test('thousands of rows are read from a file and made an Excel file, and a failure is told', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    await page.route('**/api/v1/resolve', route => {
      const { codes } = route.request().postDataJSON() as { codes: string[] }
      const data = codes.map(input => ({
        input,
        status: 'unknown',
        hs_code: null,
        record: null,
        candidates: [],
        nearest: null,
        lines: 0,
      }))
      return route.fulfill({ json: { success: true, data, meta: {} } })
    })
    await page.goto(`${pages.url}/check`)
    let isAway = true
    await page.route('**/assets/check-files-*', route => (isAway ? route.abort() : route.continue()))
    const buffer = Buffer.from('851713\n'.repeat(ROWS_MAX))
    const choose = () => page.locator('#file').setInputFiles({ name: 'codes.txt', mimeType: 'text/plain', buffer })
    await choose()
    await page.getByText(strings.en.checkFileFailed).waitFor()
    isAway = false
    await page.reload()
    await choose()
    await until(page, 'document.getElementById("codes").value !== ""')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('.check-run', { hasText: '5,000 of 5,000 checked' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: strings.en.checkExcel }).click(),
    ])
    t.equal((await readSheet(await file.path())).length, ROWS_MAX + 1)
  })

  t.test('an older edition’s codes are told what they are now', async t => {
    const { page } = await pages.visit(t, '/check?codes=852310&edition=2017')
    await page.locator('.checked tbody tr').waitFor()
    t.match(await page.locator('.checked tbody').textContent(), /852310.*Moved.*852329/)
  })

  t.test('over the limit it counts down and goes on where it was', async t => {
    const { page } = await pages.visit(t, '/check')
    let refusals = 0
    const sizes: number[] = []
    await page.route('**/api/v1/resolve', route => {
      const { codes } = route.request().postDataJSON() as { codes: string[] }
      if (sizes.length === 1 && refusals++ === 0) return refuse(route, 429, 'rate_limit_exceeded', { 'Retry-After': '2' })
      sizes.push(codes.length)
      return route.continue()
    })
    await page.locator('#codes').fill(Array.from({ length: 250 }, () => '851713').join('\n'))
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('.check-run [data-state=limit]').waitFor()
    t.match(await page.locator('.check-run').textContent(), /200 of 250 checked, 50 left\. .*by itself in [12] s/)
    await page.locator('.check-run', { hasText: '250 of 250 checked' }).waitFor()
    t.strictSame(sizes, [200, 50])
    t.equal(await page.locator('.checked tbody tr').count(), 200, 'the table is drawn as far as one can read')
  })

  t.test('a file is taken, and one that is not text is reported', async t => {
    const { page } = await pages.visit(t, '/check?lang=ar', { lang: 'ar' })
    const name = 'codes.csv'
    await page.locator('#file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from('رمز,صنف\n851713,هاتف') })
    await until(page, 'document.getElementById("codes").value !== ""')
    t.equal(await page.locator('#column').inputValue(), '0')
    for (const buffer of [windows1256('صنف,رمز\nهاتف,851713'), Buffer.from('\ufeffصنف\tرمز\nهاتف\t851713', 'utf16le')]) {
      await page.locator('#codes').fill('')
      await page.locator('#file').setInputFiles({ name, mimeType: 'text/csv', buffer })
      await until(page, 'document.getElementById("codes").value.includes("هاتف")')
      t.equal(await page.locator('#column').inputValue(), '1')
    }
    await page
      .locator('#file')
      .setInputFiles({ name: 'x.xlsx', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004\u0000') })
    await page.getByText('هذا الملف ليس نصا').waitFor()
    await page.locator('#codes').fill('')
    await page.getByRole('button', { name: 'افحص' }).click()
    await page.getByText('لا رمز في هذا النص').waitFor()
  })
})

t.test('checking with a key of one’s own', { skip: WITHOUT_BROWSER }, async t => {
  const env = { ...(await prepared(t)), HSAPI_EXPLORER: 'key' }
  const create = async (...args: string[]): Promise<string> =>
    JSON.parse((await run(['keys', 'create', '--json', '--tier', ...args], env)).stdout).key
  const ample = await create('pro')
  const keys = { en: await create('free'), ar: await create('free') }
  const dayKey = await create('pro', '--per-day', '20')
  const pages = await openPages(t, env)

  /** Checks this many codes with a key, on a page that starts there, and records the requests and answers. */
  const check = async (t: Test, key: string, lang: 'en' | 'ar', codes: number) => {
    const opened = await pages.visit(t, '/openapi.json', { lang, clock: true })
    const { page } = opened
    const posts: [codes: number, status: number][] = []
    page.on('response', response => {
      if (response.request().method() !== 'POST') return
      const sent = response.request().postDataJSON() as { codes: string[] }
      posts.push([sent.codes.length, response.status()])
    })
    await page.evaluate(`localStorage.setItem('hsapi-key', '${key}')`)
    await page.goto(`${pages.url}/check?lang=${lang}`)
    await page.locator('#codes').fill(Array.from({ length: codes }, () => '851713').join('\n'))
    await page.getByRole('button', { name: strings[lang].checkGo, exact: true }).click()
    return { ...opened, posts, rows: page.locator('.checked tbody tr') }
  }

  for (const lang of ['en', 'ar'] as const)
    t.test(`a Free key checks 30 at once, tells what is left and goes on by itself (${lang})`, async t => {
      const words = strings[lang]
      const { page, posts, rows, complaints } = await check(t, keys[lang], lang, 70)
      const told = page.locator('.check-run [data-state=limit]')
      await told.waitFor()
      t.equal(await rows.count(), 30)
      t.strictSame(posts[0], [30, 200], 'nothing was asked for that can never pass')
      t.strictSame(posts.slice(1), [[1, 429]], 'which tells for how long to wait')
      t.match(await told.textContent(), words.checkProgress(30, 70))
      t.match(words.checkProgress(30, 70), '40')
      const [before = '', after = ''] = words.limitText.split('{seconds}')
      t.match(await told.textContent(), before)
      t.match(await told.textContent(), new RegExp(`\\d+ \\S+${after.replace('.', '\\.')}$`))
      t.strictSame(await barriers(page), [])
      // as if the key's next minute had started
      await page.route(/\/api\/v1\/(resolve|health)/, route =>
        route.continue({ headers: { ...route.request().headers(), 'x-api-key': ample } }),
      )
      await page.clock.fastForward(61_000)
      await page.locator('.check-run', { hasText: words.checkProgress(70, 70) }).waitFor()
      t.equal(await rows.count(), 70)
      t.strictSame(posts.slice(2), [[40, 200]])
      t.strictSame(complaints, [])
    })

  t.test('the day’s limit counts as well, and what is left of it is used', async t => {
    const { page, posts, rows } = await check(t, dayKey, 'en', 25)
    await page.locator('.check-run [data-state=limit]').waitFor()
    t.equal(await rows.count(), 20)
    t.strictSame(posts, [
      [20, 200],
      [1, 429],
    ])
  })

  t.test('where others use the same key meanwhile, what is left is used at once', async t => {
    const { page, posts, rows } = await check(t, ample, 'en', 0)
    const figures = { 'X-RateLimit-Limit-Minute': '30', 'X-RateLimit-Remaining-Minute': '12' }
    let refusals = 0
    await page.route('**/api/v1/resolve', route =>
      refusals++ === 0 ? refuse(route, 429, 'rate_limit_exceeded', { ...figures, 'Retry-After': '50' }) : route.continue(),
    )
    await page.locator('#codes').fill(Array.from({ length: 20 }, () => '851713').join('\n'))
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('.check-run', { hasText: '20 of 20 checked' }).waitFor()
    t.equal(await rows.count(), 20)
    t.strictSame(posts, [
      [20, 429],
      [12, 200],
      [8, 200],
    ])
  })
})
