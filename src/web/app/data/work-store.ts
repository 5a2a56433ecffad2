/**
 * A visitor's work on a page, stored in IndexedDB so that Back, a reload and a switch of languages restore it. Each tab has its own; a
 * new tab takes the latest. Where storage is forbidden it lives as long as the page.
 */

export interface Stored {
  id: string
  savedMs: number
  /** The address that shows the same work, '' if it does not fit into one. */
  address: string
}

interface Names {
  database: string
  store: string
  /** In sessionStorage: which work is this tab's. */
  tab: string
}

const WORKS_MAX = 5
/** Typing is saved once it pauses. */
const PAUSE_MS = 200

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** The visitor goes on working where storage fails. */
const ignore = () => {}

/** Of this entry of the history, since Back may lead to other work of the same tab. */
const entryId = () => (history.state as { work?: string } | null)?.work

const isShownAt = (address: string) => (work: Stored) => address === '' || work.address === address

export class WorkStore<Work extends Stored> {
  readonly #names: Names
  #current: Work | null = null
  /** What is shown may be work of another tab, or of none. */
  #shownId = ''
  #timer = 0
  #opened: Promise<IDBDatabase> | null = null

  constructor(names: Names) {
    this.#names = names
  }

  async #open(): Promise<IDBDatabase> {
    const request = indexedDB.open(this.#names.database, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(this.#names.store, { keyPath: 'id' })
    return settled(request)
  }

  async #store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    this.#opened ??= this.#open()
    const { store } = this.#names
    return (await this.#opened).transaction(store, mode).objectStore(store)
  }

  #change(run: (all: IDBObjectStore) => IDBRequest): void {
    void this.#store('readwrite')
      .then(all => {
        const request = run(all)
        // a page that goes away does not wait for the end of a transaction
        all.transaction.commit()
        return settled(request)
      })
      .catch(ignore)
  }

  #tabId(): string | null {
    try {
      return sessionStorage.getItem(this.#names.tab)
    } catch {
      return null
    }
  }

  #setTabId(id: string): void {
    try {
      sessionStorage.setItem(this.#names.tab, id)
    } catch {}
  }

  /** From memory, for Back within the page. */
  current(address: string): Work | undefined {
    const work = this.#current
    if (work === null || !isShownAt(address)(work)) return undefined
    return (entryId() ?? work.id) === work.id ? work : undefined
  }

  async #all(): Promise<Work[]> {
    try {
      const works = (await settled((await this.#store('readonly')).getAll())) as Work[]
      return works.sort((a, b) => b.savedMs - a.savedMs)
    } catch {
      return []
    }
  }

  /** From storage. What is saved next replaces it if it is this tab's, and is other work if not. */
  async find(address: string): Promise<Work | undefined> {
    this.flush()
    this.#current = null
    const works = await this.#all()
    for (const { id } of works.slice(WORKS_MAX)) this.#change(all => all.delete(id))
    const shown = works.filter(isShownAt(address))
    const byId = (wanted: string | null | undefined) => shown.find(({ id }) => id === wanted)
    const own = byId(entryId()) ?? byId(this.#tabId())
    // the visitor may have started something else meanwhile
    this.#current ??= own ?? null
    // a tab whose work was removed starts without any
    const found = own ?? (address === '' && this.#tabId() !== null ? undefined : shown[0])
    this.#shownId = this.#current?.id ?? found?.id ?? ''
    return found
  }

  /** All that is stored beside the work that is shown, the latest first. */
  async others(): Promise<Work[]> {
    return (await this.#all()).filter(({ id }) => id !== this.#shownId)
  }

  /** Makes stored work that of this tab. */
  take(work: Work): void {
    this.flush()
    this.#current = work
    this.#shownId = work.id
    this.#setTabId(work.id)
  }

  remove(id: string): void {
    this.#change(all => all.delete(id))
  }

  /** Removes what is shown; this tab then has no work. */
  forgetShown(): void {
    this.remove(this.#shownId)
    this.#setTabId(this.#shownId)
    this.#drop()
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = 0
    const work = this.#current
    if (work !== null) this.#change(all => all.put(work))
  }

  save(work: Omit<Work, 'id' | 'savedMs'>): void {
    const id = this.#current?.id ?? crypto.getRandomValues(new Uint32Array(2)).join('-')
    this.#current = { ...work, id, savedMs: Date.now() } as Work
    this.#shownId = id
    this.#setTabId(id)
    if (entryId() !== id) history.replaceState({ ...history.state, work: id }, '')
    if (this.#timer === 0) this.#timer = window.setTimeout(() => this.#write(), PAUSE_MS)
  }

  /** Before the page goes away. */
  flush(): void {
    if (this.#timer !== 0) this.#write()
  }

  #drop(): void {
    clearTimeout(this.#timer)
    this.#timer = 0
    this.#current = null
    this.#shownId = ''
    history.replaceState({ ...history.state, work: undefined }, '')
  }

  /** Removes all. */
  forget(): void {
    this.#drop()
    this.#change(all => all.clear())
  }
}
