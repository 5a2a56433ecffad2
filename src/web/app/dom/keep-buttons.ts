/** Small buttons of a list that choose a code for the comparison. */

import { COMPARED_MAX, compared, KEPT_CHANGED, type KeptCode, toggleCompared } from '../data/kept-codes.js'
import { t } from '../shared/language.js'
import { announce, fillText, h, icon } from './dom.js'

function choose(one: KeptCode): void {
  if (!toggleCompared(one)) announce(t.compareFull(COMPARED_MAX))
}

/** One listener for all small buttons of a list, of which there are many. */
export function watchPicks(list: HTMLElement, codeOf: (hsCode: string) => KeptCode | undefined): void {
  list.addEventListener('click', event => {
    const pressed = (event.target as Element).closest<HTMLElement>('[data-pick]')
    const one = pressed && codeOf(pressed.dataset.pick ?? '')
    if (one) choose(one)
  })
}

/** `isOn` is passed in: a list reads the kept codes once. */
export function pickButton(hsCode: string, isOn: boolean): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'pick',
      'data-pick': hsCode,
      'aria-pressed': String(isOn),
      'aria-label': fillText(t.comparePick, { code: hsCode }),
      title: fillText(t.comparePick, { code: hsCode }),
    },
    icon('compare'),
  )
}

/** After a change, wherever it was made. */
export function markPicks(): void {
  const on = new Set(compared.all().map(({ hs_code }) => hs_code))
  for (const pick of document.querySelectorAll<HTMLElement>('[data-pick]'))
    pick.setAttribute('aria-pressed', String(on.has(pick.dataset.pick ?? '')))
}
window.addEventListener(KEPT_CHANGED, markPicks)
