/** The page of the admin port: keys and usage, asked again every few seconds while somebody looks. */

import { h, replace } from '../app/dom/dom.js'
import { rememberLanguage } from '../app/shell/keep-language.js'
import { setUpTheme } from '../app/shell/theme-switch.js'
import { type Answer, ask, forgetToken, hasToken, type Usage } from './api.js'
import { Figures } from './figures.js'
import { Keys } from './keys.js'
import { t } from './language.js'
import { tokenForm } from './token-form.js'

const AGAIN_MS = 5_000

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const content = element('content')
const forget = element('forget')
const language = element<HTMLAnchorElement>('language')

const offline = h('p', { class: 'warning', role: 'status', hidden: true }, t.offline)
const figures = new Figures()
const keys = new Keys(() => void refresh())
const view = h('div', { class: 'admin' }, figures.line, offline, figures.problem, figures.element, keys.element)

let timer = 0
let isRunning = false
let isDue = false

function show(next: HTMLElement): void {
  if (content.firstElementChild !== next) replace(content, next)
}

function askForToken(): void {
  const form = tokenForm(() => void refresh())
  show(form)
  if (hasToken()) forgetToken()
  forget.hidden = true
  form.querySelector('input')?.focus()
}

function refused(message: string): void {
  show(
    h(
      'section',
      { class: 'notice notice-broken', 'data-state': 'refused' },
      h('h2', {}, t.refusedTitle),
      h('p', {}, h('bdi', { lang: 'en' }, message)),
      h('button', { type: 'button', class: 'button', onclick: () => void refresh() }, t.again),
    ),
  )
}

/** Returns whether there is more to ask for later. */
function take(usage: Answer<Usage>): boolean {
  offline.hidden = usage.kind !== 'offline'
  if (usage.kind === 'token') {
    askForToken()
    return false
  }
  if (usage.kind === 'refused' && usage.status === 403) {
    refused(usage.message)
    return false
  }
  if (usage.kind === 'ok') figures.show(usage.data)
  forget.hidden = !hasToken()
  show(view)
  return true
}

/** Both at once; a call during a run is followed by another run. */
async function refresh(): Promise<void> {
  clearTimeout(timer)
  if (isRunning) {
    isDue = true
    return
  }
  isRunning = true
  const address = new URL(location.href)
  address.searchParams.set('lang', language.hreflang)
  language.href = address.pathname + address.search
  const [usage] = await Promise.all([ask<Usage>('/usage'), keys.load()])
  isRunning = false
  const isOn = take(usage)
  if (isDue) {
    isDue = false
    return refresh()
  }
  if (isOn && !document.hidden) timer = window.setTimeout(() => void refresh(), AGAIN_MS)
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer)
  if (!document.hidden && content.firstElementChild === view) void refresh()
})

forget.addEventListener('click', () => {
  forgetToken()
  void refresh()
})
setUpTheme(element('theme'), t)
rememberLanguage(language)
void refresh()
