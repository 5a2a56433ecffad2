/** State of the tree: branches, which of them are open, and their children. It uses neither the DOM nor the API. */
import type { Description, ListedRecord, RateOrigin, Section } from '../../../answers/shapes.js'
import { type Surroundings, wordsIn } from '../ui/surroundings.js'

export interface Branch {
  /** Unique in the tree. */
  name: string
  /** The digits of a code, or the number of a section. */
  id: string
  isSection: boolean
  isLeaf: boolean
  description: Description
  /** Chapters have no rate of their own. */
  rate?: { own: number; origin: RateOrigin | undefined }
}

export interface Tree {
  roots: readonly Branch[]
  /** Loaded children, by the name of their branch. */
  below: Readonly<Record<string, readonly Branch[]>>
  /** Names of open branches; some branches may not be loaded yet. */
  open: ReadonlySet<string>
  /** The branch that has the tab stop. */
  current: string
}

/** The place that the address names; both fields are '' for the whole tree. */
export interface Place {
  code: string
  section: string
}

const sectionName = (section: string) => `section ${section}`

export function initialTree(sections: readonly Section[], longestLine: number): Tree {
  const below: Record<string, readonly Branch[]> = {}
  const roots = sections.flatMap(({ section, title, chapters }): Branch[] => {
    const branches = chapters.map(({ hs_code, description }) => branchOf(hs_code, description, longestLine))
    // chapters outside all sections come last
    if (section === null || branches.length === 0) return branches
    const name = sectionName(section)
    below[name] = branches
    return [{ name, id: section, isSection: true, isLeaf: false, description: title }]
  })
  return { roots, below, open: new Set(), current: roots[0]?.name ?? '' }
}

const branchOf = (code: string, description: Description, longestLine: number): Branch => ({
  name: code,
  id: code,
  isSection: false,
  isLeaf: code.length >= longestLine,
  description,
})

/** Opens branches by name. Branches that are not loaded yet will be open when they are loaded. */
export const opened = (tree: Tree, names: readonly string[]): Tree => ({ ...tree, open: new Set([...tree.open, ...names]) })

export const toggled = (tree: Tree, { name, isLeaf }: Branch): Tree => {
  const open = new Set(tree.open)
  if (!open.delete(name) && !isLeaf) open.add(name)
  return { ...tree, open }
}

export function filled(tree: Tree, name: string, records: readonly ListedRecord[], longestLine: number): Tree {
  const branches = records.map(({ hs_code, description, tariff_rate, rate }) => ({
    ...branchOf(hs_code, description, longestLine),
    rate: { own: tariff_rate, origin: rate },
  }))
  return { ...tree, below: { ...tree.below, [name]: branches } }
}

export const isOpen = ({ open }: Tree, { name, isLeaf }: Branch) => !isLeaf && open.has(name)

interface Row {
  branch: Branch
  /** Undefined for a root. */
  parent: Branch | undefined
}

/** All visible branches, from top to bottom. */
export function rowsOf(tree: Tree, branches = tree.roots, parent?: Branch): Row[] {
  return branches.flatMap(branch => {
    const row = { branch, parent }
    return isOpen(tree, branch) ? [row, ...rowsOf(tree, tree.below[branch.name] ?? [], branch)] : row
  })
}

export const openBranches = (tree: Tree) =>
  rowsOf(tree)
    .map(({ branch }) => branch)
    .filter(branch => isOpen(tree, branch))

/** Open branches whose children are not loaded. */
export const awaited = (tree: Tree) => openBranches(tree).filter(({ name }) => tree.below[name] === undefined)

/**
 * Names of the branches to open for a place, and of the place itself. Some names match no branch, because not every prefix of a
 * code is a code.
 */
export function namesTo(tree: Tree, { code, section }: Place): string[] {
  if (code === '') return section === '' ? [] : [sectionName(section)]
  const sections = tree.roots.filter(({ name }) => tree.below[name]?.some(({ id }) => code.startsWith(id)))
  return [...sections.map(({ name }) => name), ...Array.from(code, (_, i) => code.slice(0, i + 1))]
}

/** The deepest loaded branch on the way to a place. */
export function nearest(tree: Tree, place: Place): Branch | undefined {
  const names = namesTo(tree, place)
  return rowsOf(tree).findLast(({ branch }) => names.includes(branch.name))?.branch
}

interface Page {
  items: readonly ListedRecord[]
  total: number
}

/** A page of children that is not loaded. */
export interface Needed {
  code: string
  offset: number
}

export const isNeeded = (found: readonly ListedRecord[] | Needed): found is Needed => 'offset' in found

/** The children of a branch. If its only child has the same description and is not a line, returns the child's children. */
export function childrenOfBranch(
  surroundings: Surroundings,
  { id, description }: Branch,
  pageAt: (needed: Needed) => Page | undefined,
): readonly ListedRecord[] | Needed {
  const words = wordsIn(surroundings, description)
  let code = id
  let all: ListedRecord[] = []
  for (;;) {
    const needed = { code, offset: all.length }
    const page = pageAt(needed)
    if (page === undefined) return needed
    all.push(...page.items)
    if (all.length < page.total && page.items.length > 0) continue
    const [only] = all
    const isRepeated = all.length === 1 && only !== undefined && wordsIn(surroundings, only.description) === words
    if (!isRepeated || only.hs_code.length >= surroundings.longestLine) return all
    code = only.hs_code
    all = []
  }
}

/** The tree with the children of open branches, read from cached pages. */
export function withCachedChildren(surroundings: Surroundings, tree: Tree, pageAt: (needed: Needed) => Page | undefined): Tree {
  const tried = new Set<string>()
  let now = tree
  for (;;) {
    const branch = awaited(now).find(({ name }) => !tried.has(name))
    if (branch === undefined) return now
    tried.add(branch.name)
    const found = childrenOfBranch(surroundings, branch, pageAt)
    if (!isNeeded(found)) now = filled(now, branch.name, found, surroundings.longestLine)
  }
}
