/** Lists of starred and recently opened codes. */
import type { ComponentChildren } from 'preact'
import { type KeptCode, recent, starred } from '../data/kept-codes.js'
import { showCode, showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { PickButton } from './keep-buttons.js'

export function KeptLists() {
  const { t } = useSurroundings()
  const stars = starred.all()
  const last = recent.all().filter(({ hs_code }) => !stars.some(star => star.hs_code === hs_code))
  return (
    <div class="kept-lists">
      {stars.length > 0 && (
        <Group name="starred" title={t.starredTitle} clear={() => starred.clear()}>
          <ul class="codes">
            {stars.map(one => (
              <li key={one.hs_code}>
                <CodeLink one={one} />
                <PickButton one={one} />
              </li>
            ))}
          </ul>
        </Group>
      )}
      {last.length > 0 && (
        <Group name="recent" title={t.recentTitle} clear={() => recent.clear()}>
          <ul class="kept-chips">
            {last.map(one => (
              <li key={one.hs_code}>
                <CodeLink one={one} isChip />
              </li>
            ))}
          </ul>
        </Group>
      )}
      {(stars.length > 0 || last.length > 0) && <p class="hint">{t.keptHere}</p>}
    </div>
  )
}

function Group(props: { name: string; title: string; clear: () => void; children: ComponentChildren }) {
  const { name, title, clear, children } = props
  const { t } = useSurroundings()
  return (
    <section class={`kept kept-${name}`} aria-labelledby={`kept-${name}`}>
      <div class="kept-head">
        <h2 id={`kept-${name}`}>{title}</h2>
        <button type="button" class="quiet" onClick={clear}>
          {t.clearList}
          <span class="unseen">{` (${title})`}</span>
        </button>
      </div>
      {children}
    </section>
  )
}

function CodeLink({ one, isChip = false }: { one: KeptCode; isChip?: boolean }) {
  const surroundings = useSurroundings()
  return (
    <a class={isChip ? 'chip' : undefined} href={surroundings.to(`/code/${one.hs_code}`)}>
      {showCode(one.hs_code)} {showWords(surroundings, one.description)}
    </a>
  )
}
