/**
 * The tariff as a tree, from sections down to lines. Without JavaScript, sections are <details> and codes are links. With
 * JavaScript (`actions`) the tree follows the ARIA tree pattern.
 */
import type { ComponentChildren, Ref } from 'preact'
import { fillText } from '../text/written.js'
import { Icon, showBadge, showCode, showWords } from '../ui/parts.js'
import { type Surroundings, useSurroundings } from '../ui/surroundings.js'
import { type Branch, isOpen, type Tree } from './branches.js'

export interface TreeActions {
  list: Ref<HTMLUListElement>
  /** Events of any row: the element of an event identifies the branch. */
  key(event: KeyboardEvent): void
  click(event: Event): void
  focus(event: Event): void
  /** Loads the children of a branch. */
  ask(branch: Branch): ComponentChildren
}

interface Props {
  /** Shown instead of `children` once the tree is loaded. */
  tree: Tree | undefined
  /** The code that the address names, or ''. */
  wanted: string
  actions?: TreeActions | undefined
  children?: ComponentChildren
}

export function TreePage({ tree, wanted, actions, children }: Props) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  return (
    <>
      <header class="page-head">
        <h1>{t.browseTitle}</h1>
        <p class="hint keys-hint">{t.browseText}</p>
      </header>
      <div class="tree-place">
        {tree === undefined ? (
          children
        ) : actions === undefined ? (
          <ul class="tree" aria-label={t.treeLabel}>
            {tree.roots.map(root => plainItem({ surroundings, tree, wanted }, root, 1))}
          </ul>
        ) : (
          <ul
            class="tree"
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the ARIA pattern of a tree uses a list
            role="tree"
            aria-label={t.treeLabel}
            ref={actions.list}
            onKeyDown={actions.key}
            onClick={actions.click}
            onFocusIn={actions.focus}
          >
            {tree.roots.map(root => treeItem({ surroundings, tree, actions }, root, 1))}
          </ul>
        )}
      </div>
    </>
  )
}

/*
 * Rows are plain functions instead of components, which are slower: an open tree has hundreds of rows. See also ui/parts.tsx.
 */

interface Plain {
  surroundings: Surroundings
  tree: Tree
  wanted: string
}

/** Closed sections contain their chapters too, so that they open without JavaScript. */
export function plainItem(plain: Plain, branch: Branch, level: number) {
  const { surroundings, tree, wanted } = plain
  const { name, id, isSection, isLeaf, description } = branch
  const { to } = surroundings
  const below = tree.below[name]?.map(one => plainItem(plain, one, level + 1))
  if (isSection)
    return (
      <li key={name} data-level={level}>
        <details open={isOpen(tree, branch)}>
          <summary class="tree-row">
            {twist(branch)}
            {number(surroundings, branch)}
            <span class="tree-words"> {showWords(surroundings, description)}</span>
          </summary>
          <ul>{below}</ul>
        </details>
      </li>
    )
  const isDown = isOpen(tree, branch)
  return (
    <li key={name} data-level={level}>
      <div class={isDown ? 'tree-row open' : 'tree-row'}>
        {twist(branch)}
        {number(surroundings, branch)}
        <span class="tree-words">
          <a href={to(isLeaf ? `/code/${id}` : `/browse/${id}`)} aria-current={id === wanted ? 'true' : undefined}>
            {showWords(surroundings, description)}
          </a>
        </span>
        {badge(surroundings, branch)}
        {recordLink(surroundings, branch)}
      </div>
      {isDown && <ul>{below}</ul>}
    </li>
  )
}

interface Live {
  surroundings: Surroundings
  tree: Tree
  actions: TreeActions
}

function treeItem(live: Live, branch: Branch, level: number): ComponentChildren {
  const { surroundings, tree, actions } = live
  const { name } = branch
  const isDown = isOpen(tree, branch)
  const below = tree.below[name]
  return (
    // the group is a sibling of the row: if it were inside, screen readers would read the whole group as the row's name
    <li key={name} role="none" data-level={level}>
      {treeRow(surroundings, branch, { level, isDown, isCurrent: name === tree.current })}
      {isDown &&
        (below === undefined ? (
          actions.ask(branch)
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: the ARIA pattern of a tree needs this role
          <ul role="group">{below.map(one => treeItem(live, one, level + 1))}</ul>
        ))}
    </li>
  )
}

interface RowState {
  level: number
  isDown: boolean
  isCurrent: boolean
}

function treeRow(surroundings: Surroundings, branch: Branch, { level, isDown, isCurrent }: RowState) {
  const { name, isLeaf, isSection, description } = branch
  return (
    <div
      role="treeitem"
      class="tree-row"
      data-name={name}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={level}
      aria-expanded={isLeaf ? undefined : isDown}
    >
      {twist(branch)}
      {number(surroundings, branch)}
      <span class="tree-words"> {showWords(surroundings, description)}</span>
      {badge(surroundings, branch)}
      {!isSection && recordLink(surroundings, branch, -1)}
    </div>
  )
}

const twist = ({ isLeaf }: Branch) => <span class="twist">{!isLeaf && Icon({ name: 'chevron' })}</span>

const number = ({ t }: Surroundings, { id, isSection }: Branch) =>
  isSection ? (
    <span class="tree-section">
      <span class="unseen">{fillText(t.section, { number: '' })}</span>
      {id}
    </span>
  ) : (
    showCode(id)
  )

const badge = (surroundings: Surroundings, { rate }: Branch) => rate && showBadge(surroundings, rate.own, rate.origin)

/** A link for mouse and touch; with the keyboard, Enter opens the record. */
function recordLink({ t, to }: Surroundings, { id }: Branch, tabIndex?: number) {
  const label = fillText(t.openRecord, { code: id })
  return (
    <a class="tree-open" href={to(`/code/${id}`)} tabIndex={tabIndex} aria-label={label} title={label}>
      {Icon({ name: 'go' })}
    </a>
  )
}
