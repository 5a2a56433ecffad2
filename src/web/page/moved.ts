/** What a code of an earlier edition became: the edition by name, its likely successors, and the others behind a fold. */
import { toCode } from './address.js'
import { ask, type Code } from './api.js'
import { type Child, fill, h, replace } from './dom.js'
import { EARLIER_EDITIONS, editionPath } from './first-paths.js'
import { t } from './language.js'
import { likelyOf } from './likely.js'
import { code, codeLink, ourWords } from './parts.js'

/** Without its rate: the endpoint gives no range, and one rate would be wrong where lines differ. */
const wordsRow = ({ hs_code, description }: Code) =>
  h('li', {}, h('a', { href: toCode(hs_code) }, code(hs_code), h('span', {}, ourWords(description))))

function successorList(wanted: string, codes: readonly string[], row: (hsCode: string) => Child): Child {
  const likely = likelyOf(wanted, codes)
  const rare = codes.filter(one => !likely.includes(one))
  const list = (shown: readonly string[]) => h('ul', { class: 'codes' }, shown.map(row))
  return [
    list(likely),
    rare.length > 0 && h('details', { class: 'rare' }, h('summary', {}, t.movedRare(rare.length)), list(rare)),
  ]
}

/** Codes at once; edition and words follow with the answer, in one request for most codes. */
export function moved(wanted: string, movedTo: readonly string[]): { text: HTMLElement; successors: HTMLElement } {
  const text = h('span', {}, t.missingMoved)
  const successors = h(
    'div',
    { class: 'successors' },
    successorList(wanted, movedTo, hsCode => h('li', {}, codeLink(hsCode))),
  )
  const show = (edition: string, targets: readonly Code[]) => {
    const byCode = new Map(targets.map(one => [one.hs_code, one]))
    const name = h('bdi', { dir: 'ltr' }, `HS ${edition}`)
    replace(text, fill(targets.length === 1 ? t.movedOne : t.movedSeveral, { edition: name }))
    replace(
      successors,
      successorList(wanted, [...byCode.keys()], hsCode => wordsRow(byCode.get(hsCode) as Code)),
    )
  }
  const load = async () => {
    for (const edition of EARLIER_EDITIONS) {
      const answer = await ask<{ targets: Code[] }>(editionPath(edition, wanted))
      if (answer.kind === 'ok') return show(edition, answer.data.targets)
      if (answer.kind !== 'missing') return
    }
  }
  void load()
  return { text, successors }
}
