/** The contents of a code's page, tested without a browser. */
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import t from 'tap'
import { Facts } from '../../src/web/app/record/controls.js'
import type { WholeRecord } from '../../src/web/app/record/data.js'
import { rowsOf } from '../../src/web/app/record/editions.js'
import { strings } from '../../src/web/app/text/strings.js'
import { Surrounded } from '../../src/web/app/ui/surroundings.js'
import { renderNotCode } from '../../src/web/server/render-missing.js'
import { Look } from '../../src/web/server/render-parts.js'

t.test('consecutive editions with the same codes share a row, except the next edition', async t => {
  const same = ['090210']
  const editions = { 1992: ['090200'], 1996: ['090200'], 2002: same, 2007: same, 2012: [], 2017: same, 2028: same }
  t.strictSame(
    rowsOf(editions).map(({ first, last, codes }) => [first, last, codes]),
    [
      ['2028', '2028', same],
      ['2017', '2017', same],
      ['2012', '2012', []],
      ['2002', '2007', same],
      ['1992', '1996', ['090200']],
    ],
  )
})

t.test('if no control is listed for a code, the text says what controls depend on: line, country, authority', async t => {
  const look = new Look('en', true, '', false, 12)
  const controlsText = (level: number, country?: string, controlled: string[] = []) => {
    const countries = ['AE', 'SA'].map(code => ({ country: code, controls: controlled.includes(code) ? ['permit'] : [] }))
    const record = { level, unit: null, controls: { items: [] }, rate: { country }, countries } as unknown as WholeRecord
    return renderToString(h(Surrounded, { value: look }, h(Facts, { record })))
  }
  const { controlsByLine, controlsNone } = strings.en
  t.match(controlsText(2), controlsByLine)
  t.match(controlsText(6, 'SA'), controlsByLine)
  t.match(controlsText(12, undefined, ['SA']), 'only in some states: Saudi Arabia')
  t.match(controlsText(2, undefined, ['AE', 'SA']), 'only in some states: United Arab Emirates, Saudi Arabia')
  t.match(controlsText(12), controlsNone)
  t.match(controlsText(12, 'SA'), controlsNone)
})

t.test('for a text that is not a code, the server proposes its digits, as the browser does', async t => {
  const look = new Look('en', true, '', false, 12)
  t.match(renderNotCode(look, '8517x13').main, 'href="/code/851713?lang=en"')
  t.match(renderNotCode(look, 'phones').main, strings.en.notCodeText)
})
