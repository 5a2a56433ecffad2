/** The start page: starred and recent codes, and the 21 sections for visitors who do not know what to type. */
import { ask, type Section } from '../data/api.js'
import { CHAPTERS_PATH } from '../data/first-paths.js'
import { Answered, useAnswer } from '../shared/answered.js'
import { KeptLists } from '../shared/kept-lists.js'
import { Skeleton } from '../shared/notices.js'
import { showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'

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
