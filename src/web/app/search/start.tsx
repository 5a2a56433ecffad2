/** The start page: codes that this browser keeps, and the 21 sections for visitors who do not know what to type. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask, type Section } from '../data/api.js'
import { CHAPTERS_PATH } from '../data/first-paths.js'
import { KEPT_CHANGED, type KeptCode, recent, starred } from '../data/kept-codes.js'
import { Answered, useAnswer } from '../shared/answered.js'
import { Skeleton } from '../shared/notices.js'
import { showCode, showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { showPick, useChosen } from './picks.js'

export function Start() {
  const { t } = useSurroundings()
  const asked = useAnswer<Section[]>(CHAPTERS_PATH, (path, signal) => ask(path, { signal }))
  return (
    <>
      <KeptLists />
      <Answered asked={asked} waiting={<Skeleton lines={8} />}>
        {list => (
          <>
            <h2 class="sections-title">{t.sectionsTitle}</h2>
            <Sections list={list} />
          </>
        )}
      </Answered>
    </>
  )
}

function Sections({ list }: { list: readonly Section[] }) {
  const surroundings = useSurroundings()
  const { to } = surroundings
  return (
    <ul class="sections">
      {list
        .filter(({ chapters }) => chapters.length > 0)
        .map(({ section, title, chapters }) => {
          const first = chapters[0]?.hs_code ?? ''
          const last = chapters.at(-1)?.hs_code ?? ''
          return (
            <li key={first}>
              <a href={section === null ? to(`/browse/${first}`) : to('/browse', { section })}>
                <bdi class="span" dir="ltr">
                  {first === last ? first : `${first}–${last}`}
                </bdi>
                {showWords(surroundings, title)}
              </a>
            </li>
          )
        })}
    </ul>
  )
}

const keptNow = () => ({ stars: starred.all(), opened: recent.all() })

function KeptLists() {
  const surroundings = useSurroundings()
  const { t, to } = surroundings
  const [{ stars, opened }, setKept] = useState(keptNow)
  const chosen = useChosen()
  useEffect(() => {
    const changed = () => setKept(keptNow())
    window.addEventListener(KEPT_CHANGED, changed)
    return () => window.removeEventListener(KEPT_CHANGED, changed)
  }, [])
  const last = opened.filter(({ hs_code }) => !stars.some(star => star.hs_code === hs_code))
  const link = (one: KeptCode) => to(`/code/${one.hs_code}`)
  return (
    <div class="kept-lists">
      {stars.length > 0 && (
        <Group name="starred" title={t.starredTitle} clear={() => starred.clear()}>
          <ul class="codes">
            {stars.map(one => (
              <li key={one.hs_code}>
                <a href={link(one)}>
                  {showCode(one.hs_code)}
                  {showWords(surroundings, one.description)}
                </a>
                {showPick(surroundings, one, chosen.has(one.hs_code))}
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
                <a class="chip" href={link(one)}>
                  {showCode(one.hs_code)} {showWords(surroundings, one.description)}
                </a>
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
          <span class="unseen"> ({title})</span>
        </button>
      </div>
      {children}
    </section>
  )
}
