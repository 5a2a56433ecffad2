/** The tree in the browser: loads branches, handles clicks and keys, and keeps the path in the address. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ListedRecord, Section } from '../../../answers/shapes.js'
import type { Route } from '../data/address.js'
import type { Answer } from '../data/answer.js'
import { ask, recall } from '../data/api.js'
import { isCarried } from '../data/carried.js'
import { facts, recallFacts } from '../data/facts.js'
import { CHAPTERS_PATH, childrenPath } from '../data/first-paths.js'
import { Answered, useAnswer } from '../shared/answered.js'
import { componentView, type PageProps } from '../shared/component-view.js'
import { Skeleton } from '../shared/notices.js'
import { type Page, usePage, type View } from '../shared/page.js'
import { surroundings as surroundingsNow } from '../shared/surroundings.js'
import { directionOf, fillText } from '../text/written.js'
import { Surrounded, type Surroundings, useIsMounted, useSurroundings, wordsIn } from '../ui/surroundings.js'
import {
  awaited,
  type Branch,
  childrenOfBranch,
  filled,
  initialTree,
  isNeeded,
  type Needed,
  namesTo,
  nearest,
  opened,
  type Place,
  rowsOf,
  type Tree,
  toggled,
  withCachedChildren,
} from './branches.js'
import { TreePage } from './tree.js'
import { jump, moveFor } from './tree-keys.js'
import { keptOpen, savePosition } from './tree-position.js'

type BrowseRoute = Extract<Route, { page: 'browse' }>

const TYPED_MS = 700

export function browseView(page: Page, first: BrowseRoute): View {
  const sections = recallFacts() ? recall<Section[]>(CHAPTERS_PATH) : undefined
  const known = sections?.kind === 'ok' ? sections : undefined
  const isRendered = known !== undefined && isRenderedFrom(page.main, known.data, first)
  const Browse = ({ route }: PageProps<BrowseRoute>) => {
    const asked = useAnswer<Section[]>(CHAPTERS_PATH, askSections, known)
    const { answer } = asked
    if (answer === undefined)
      return (
        <TreePage tree={undefined} wanted="">
          <Answered asked={asked} waiting={<Skeleton lines={12} />}>
            {() => null}
          </Answered>
        </TreePage>
      )
    return (
      // `longestLine` may have become known with the answer
      <Surrounded value={surroundingsNow()}>
        <LiveTree sections={answer.data} place={route} isRendered={isRendered} />
      </Surrounded>
    )
  }
  const view = componentView(page, Browse, first, isRendered)
  return { ...view, title: surroundingsNow().t.browseTitle }
}

async function askSections(path: string, signal: AbortSignal): Promise<Answer<Section[]>> {
  await facts()
  return ask(path, { signal })
}

/** The tree at an address, built from cached answers. */
export function firstTree(surroundings: Surroundings, sections: readonly Section[], place: Place): Tree {
  const tree = initialTree(sections, surroundings.longestLine)
  return withCachedChildren(surroundings, opened(tree, namesTo(tree, place)), recallPage)
}

function recallPage({ code, offset }: Needed) {
  const answer = recall<ListedRecord[]>(childrenPath(code, offset))
  return answer?.kind === 'ok' ? { items: answer.data, total: answer.meta.total } : undefined
}

/**
 * Whether the server rendered exactly this tree. Hydration does not change attributes, so the addresses of links must also
 * match.
 */
function isRenderedFrom(main: HTMLElement, sections: readonly Section[], place: Place): boolean {
  const around = surroundingsNow()
  const link = main.querySelector('.tree:not([role]) .tree-open')
  const [chapter] = sections.flatMap(({ chapters }) => chapters)
  const isAlike = link !== null && link.getAttribute('href') === around.to(`/code/${chapter?.hs_code}`)
  return isAlike && isCarried(sections) && awaited(firstTree(around, sections, place)).length === 0
}

/** Loads all pages of a branch's children. */
async function askBelow(
  surroundings: Surroundings,
  branch: Branch,
  signal: AbortSignal,
): Promise<Answer<readonly ListedRecord[]>> {
  const pages = new Map<string, { items: readonly ListedRecord[]; total: number }>()
  for (;;) {
    const found = childrenOfBranch(surroundings, branch, ({ code, offset }) => pages.get(childrenPath(code, offset)))
    if (!isNeeded(found)) return { kind: 'ok', data: found, meta: { total: found.length, count: found.length }, text: '' }
    const path = childrenPath(found.code, found.offset)
    const answer = await ask<ListedRecord[]>(path, { signal })
    if (answer.kind !== 'ok') return answer
    pages.set(path, { items: answer.data, total: answer.meta.total })
  }
}

function Below({ branch, show }: { branch: Branch; show: (records: readonly ListedRecord[]) => void }) {
  const surroundings = useSurroundings()
  const asked = useAnswer(branch.name, (_, signal) => askBelow(surroundings, branch, signal))
  const { answer } = asked
  useLayoutEffect(() => answer && show(answer.data), [answer])
  return (
    <Answered class="tree-wait" asked={asked} waiting={<Skeleton lines={2} />}>
      {() => null}
    </Answered>
  )
}

interface Props {
  sections: readonly Section[]
  /** From the address. */
  place: Place
  /** Whether the server rendered this tree; the first render must then give the same HTML. */
  isRendered: boolean
}

function LiveTree({ sections, place, isRendered }: Props) {
  const page = usePage()
  const surroundings = useSurroundings()
  const { t, lang, longestLine, to } = surroundings
  const [tree, setTree] = useState(() => firstTree(surroundings, sections, place))
  const isMounted = useIsMounted()
  const isLive = isMounted || !isRendered
  const list = useRef<HTMLUListElement>(null)
  /** The place of the address, which also changes when the visitor opens a branch. */
  const here = useRef<Place | undefined>(undefined)
  /** The branch that gets the focus when all open branches are loaded. */
  const goal = useRef<Place | undefined>(undefined)
  const focusing = useRef<ScrollLogicalPosition | undefined>(undefined)
  const typed = useRef({ text: '', at: 0 })

  useLayoutEffect(() => {
    if (!isLive) return
    if (focusing.current !== undefined) {
      const row = list.current?.querySelector<HTMLElement>('[tabindex="0"]')
      row?.focus({ preventScroll: true })
      row?.scrollIntoView({ block: focusing.current })
      focusing.current = undefined
    }
    if (goal.current === undefined || awaited(tree).length > 0) return
    const branch = nearest(tree, goal.current)
    goal.current = undefined
    if (branch !== undefined) focus(branch, 'center')
  }, [tree, isLive])

  useLayoutEffect(() => {
    if (place.code === here.current?.code && place.section === here.current.section) return
    const isFirst = here.current === undefined
    here.current = place
    goal.current = place
    // the focus moves after the next render: the effect for it is above
    const start = isFirst ? tree : firstTree(surroundings, sections, place)
    setTree(withCachedChildren(surroundings, opened(start, keptOpen(place)), recallPage))
  }, [place])

  function focus({ name }: Branch, block: ScrollLogicalPosition = 'nearest'): void {
    focusing.current = block
    setTree(now => ({ ...now, current: name }))
  }

  function toggle(branch: Branch): void {
    const next = toggled(tree, branch)
    setTree(next)
    focus(branch)
    here.current = branch.isSection ? { code: '', section: branch.id } : { code: branch.id, section: '' }
    page.note(branch.isSection ? to('/browse', { section: branch.id }) : to(`/browse/${branch.id}`))
    savePosition(here.current, next)
  }

  const visit = ({ id }: Branch) => page.go(to(`/code/${id}`))

  const textOf = ({ id, isSection, description }: Branch) =>
    `${isSection ? fillText(t.section, { number: '' }) : ''}${id} ${wordsIn(surroundings, description)}`.trim()

  function type(letter: string): void {
    const now = performance.now()
    const text = now - typed.current.at > TYPED_MS ? letter : typed.current.text + letter
    typed.current = { text, at: now }
    const branch = jump(tree, text, textOf)
    if (branch !== undefined) focus(branch)
  }

  const branchAt = (event: Event) => {
    const row = (event.target as Element).closest<HTMLElement>('[role=treeitem]')
    return rowsOf(tree).find(({ branch }) => branch.name === row?.dataset.name)?.branch
  }

  function key(event: KeyboardEvent): void {
    // notices in the tree handle their own keys
    if (branchAt(event) === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const move = moveFor(tree, event.key, directionOf(lang) === 'rtl')
    if (move === undefined && (event.key.length !== 1 || event.key === '/')) return
    event.preventDefault()
    event.stopPropagation()
    goal.current = undefined
    if (move === undefined) type(event.key)
    else if (move.to !== undefined) focus(move.to)
    else if (move.toggle !== undefined) toggle(move.toggle)
    else if (move.follow !== undefined) visit(move.follow)
  }

  function click(event: Event): void {
    const branch = branchAt(event)
    if (branch === undefined || (event.target as Element).closest('a')) return
    goal.current = undefined
    if (branch.isLeaf) visit(branch)
    else toggle(branch)
  }

  const actions = {
    list,
    key,
    click,
    focus(event: Event) {
      const branch = branchAt(event)
      if (branch !== undefined && branch.name !== tree.current) setTree(now => ({ ...now, current: branch.name }))
    },
    ask: (branch: Branch) => (
      <Below branch={branch} show={records => setTree(now => filled(now, branch.name, records, longestLine))} />
    ),
  }
  return <TreePage tree={tree} wanted={place.code} actions={isLive ? actions : undefined} />
}
