/**
 * The visitor's work on the check page, stored in IndexedDB so that Back, a reload and a switch of languages restore it. Each tab has
 * its own; a new tab takes the latest. Where storage is forbidden it lives as long as the page.
 */
import type { Resolved } from './api.js'

/** A check that was started, with what has come back so far. */
export interface Checked {
  atMs: number
  text: string
  column: number
  edition: string
  /** Whose rates the results have; '' is the common tariff. */
  country: string
  results: (Resolved | null)[]
  isStopped: boolean
  /** The status that the table is filtered by; '' for all. */
  only: string
  shownMax: number
}

export interface Work {
  id: string
  savedMs: number
  /** The address that shows the same codes, '' if they do not fit into one. */
  address: string
  text: string
  /** The column that the visitor chose, if any. */
  column: number | null
  edition: string
  checked: Checked | null
}

const DATABASE = 'hsapi'
const STORE = 'check'
const TAB = 'hsapi-check'
const WORKS_MAX = 5
/** Rates change with the dataset: older results are not shown again, the codes are. */
const RESULTS_MS = 24 * 3600_000
/** Typing is saved once it pauses. */
const PAUSE_MS = 200

let current: Work | null = null
let timer = 0

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

let opened: Promise<IDBDatabase> | null = null

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
  return settled(request)
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  opened ??= open()
  return (await opened).transaction(STORE, mode).objectStore(STORE)
}

/** The visitor goes on working where storage fails. */
const ignore = () => {}

function tabId(): string | null {
  try {
    return sessionStorage.getItem(TAB)
  } catch {
    return null
  }
}

function setTabId(id: string): void {
  try {
    sessionStorage.setItem(TAB, id)
  } catch {}
}

/** Of this entry of the history, since Back may lead to other work of the same tab. */
const entryId = () => (history.state as { work?: string } | null)?.work

const isShownAt = (address: string) => (work: Work) => address === '' || work.address === address

/** From memory, for Back within the page. */
export function currentWork(address: string): Work | undefined {
  if (current === null || !isShownAt(address)(current)) return undefined
  return (entryId() ?? current.id) === current.id ? current : undefined
}

async function storedWorks(): Promise<Work[]> {
  try {
    const works = (await settled((await store('readonly')).getAll())) as Work[]
    return works.sort((a, b) => b.savedMs - a.savedMs)
  } catch {
    return []
  }
}

/** From storage. What is saved next replaces it if it is this tab's, and is other work if not. */
export async function findWork(address: string): Promise<Work | undefined> {
  flushWork()
  current = null
  const works = await storedWorks()
  for (const { id } of works.slice(WORKS_MAX)) void store('readwrite').then(all => all.delete(id), ignore)
  const shown = works.filter(isShownAt(address))
  const byId = (wanted: string | null | undefined) => shown.find(({ id }) => id === wanted)
  const own = byId(entryId()) ?? byId(tabId())
  // the visitor may have begun something else meanwhile
  current ??= own ?? null
  const found = own ?? shown[0]
  const isOld = Date.now() - (found?.checked?.atMs ?? 0) > RESULTS_MS
  return found && isOld ? { ...found, checked: null } : found
}

function write(): void {
  clearTimeout(timer)
  timer = 0
  const work = current
  if (work !== null)
    void store('readwrite')
      .then(all => settled(all.put(work)).then(ignore), ignore)
      .catch(ignore)
}

export function saveWork(work: Omit<Work, 'id' | 'savedMs'>): void {
  const id = current?.id ?? crypto.getRandomValues(new Uint32Array(2)).join('-')
  current = { ...work, id, savedMs: Date.now() }
  setTabId(id)
  if (entryId() !== id) history.replaceState({ ...history.state, work: id }, '')
  if (timer === 0) timer = window.setTimeout(write, PAUSE_MS)
}

/** Before the page goes away. */
export function flushWork(): void {
  if (timer !== 0) write()
}

export function forgetWork(): void {
  clearTimeout(timer)
  timer = 0
  current = null
  history.replaceState({ ...history.state, work: undefined }, '')
  void store('readwrite')
    .then(all => settled(all.clear()).then(ignore), ignore)
    .catch(ignore)
}
