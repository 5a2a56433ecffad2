/** The page of the admin port: keys and usage. */
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { rememberLanguage } from '../app/shell/keep-language.js'
import { setUpTheme } from '../app/shell/theme-switch.js'
import { hasToken } from './api.js'
import { KeyDialog, type Opened } from './dialogs.js'
import { Figures } from './figures.js'
import { Keys } from './keys.js'
import { InLanguage, useStrings } from './language.js'
import { Panel, type State } from './panel.js'
import { button } from './parts.js'
import { adminStrings } from './strings.js'
import { TokenForm } from './token-form.js'

function Admin({ state, panel }: { state: State; panel: Panel }) {
  const [opened, open] = useState<Opened | null>(null)
  const { access } = state
  const refresh = () => void panel.refresh()
  return (
    <>
      {access.kind === 'token' && <TokenForm key={access} isWrong={access.isWrong} enter={token => panel.enter(token)} />}
      {access.kind === 'refused' && <Refused reason={access.reason} again={refresh} />}
      {access.kind === 'open' && (
        <div class="admin">
          <Figures usage={state.usage} isOffline={state.isOffline} />
          <Keys state={state} panel={panel} open={open} />
        </div>
      )}
      {opened !== null && (
        <KeyDialog
          key={opened}
          opened={opened}
          open={open}
          // a dialog's close event may arrive after the next dialog has opened
          close={() => open(now => (now === opened ? null : now))}
          refresh={refresh}
        />
      )}
    </>
  )
}

function Refused({ reason, again }: { reason: string; again: () => void }) {
  const t = useStrings()
  return (
    <section class="notice notice-broken" data-state="refused">
      <h2>{t.refusedTitle}</h2>
      <p>
        <bdi lang="en">{reason}</bdi>
      </p>
      {button(t.again, again)}
    </section>
  )
}

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const [content, forget, language] = [element('content'), element('forget'), element<HTMLAnchorElement>('language')]
const t = adminStrings[document.documentElement.lang === 'ar' ? 'ar' : 'en']

const panel = new Panel(state => {
  render(
    <InLanguage value={t}>
      <Admin state={state} panel={panel} />
    </InLanguage>,
    content,
  )
  forget.hidden = !hasToken()
  const address = new URL(location.href)
  address.searchParams.set('lang', language.hreflang)
  language.href = address.pathname + address.search
}, !document.hidden)

content.replaceChildren()
document.addEventListener('visibilitychange', () => panel.see(!document.hidden))
window.addEventListener('popstate', () => panel.followAddress())
forget.addEventListener('click', () => panel.enter(null))
setUpTheme(element('theme'), t)
rememberLanguage(language)
void panel.refresh()
