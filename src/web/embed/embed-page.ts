/** The example page of the embedded search box: gives it the explorer's key and shows the value that a form receives. */

import { currentKey } from '../app/data/key.js'
import { setUpBlocks } from '../app/docs/blocks.js'
import { keepLanguage, rememberLanguage } from '../app/shell/keep-language.js'
import { setUpTheme } from '../app/shell/theme-switch.js'
import { docsStrings } from '../app/text/strings.js'

const t = docsStrings[document.documentElement.lang === 'ar' ? 'ar' : 'en']
const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const write = (id: string, text: string) => {
  element(id).textContent = text
}

const box = element('goods')
const form = element<HTMLFormElement>('example')
const source = element('source')
const example = /https:\/\/hs\.example\.com/g

write('source', (source.textContent ?? '').replace(example, location.origin))
box.addEventListener('hsapi-select', event => write('event', JSON.stringify((event as CustomEvent).detail, null, 2)))
form.addEventListener('submit', event => {
  event.preventDefault()
  write('sent', new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString())
})

async function giveKey(): Promise<void> {
  try {
    const key = await currentKey()
    element('needs-key').hidden = key !== null
    if (key !== null) box.setAttribute('key', key)
  } catch {
    // the box itself reports that the server does not answer
  }
}

setUpTheme(element('theme'), t)
rememberLanguage(element('language'))
setUpBlocks(element('main'), t)
keepLanguage('a[href^="/"]:not([href*="lang="])')
void giveKey()
