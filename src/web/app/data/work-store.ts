/**
 * A visitor's work on a page, stored in IndexedDB so that Back, a reload and a change of language restore it. Each tab has its
 * own work; a new tab continues the latest. If storage is forbidden, the work lasts as long as the page.
 */

export interface Stored {
  id: string
  savedMs: number
  /** The address that shows the same work; '' if the work does not fit into an address. */
  address: string
}

interface Names {
  database: string
  store: string
  /** Key in sessionStorage for the id of this tab's work. */
  tab: string
}

const WORKS_MAX = 5
/** Typing is saved at most once in this time. */
const PAUSE_MS = 200

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Ignores storage errors, so that visitors can keep working. */
const ignore = () => {}

/** Id of the work in this history entry: Back may lead to other work of the same tab. */
const entryId = () => (history.state as { work?: string } | null)?.work

const isShownAt = (address: string) => (work: Stored) => address === '' || work.address === address

export class WorkStore<Work extends Stored> {
  readonly #names: Names
  #current: Work | null = null
  /** Id of the shown work, which may belong to another tab; '' if none is shown. */
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
        // commit explicitly: a page that unloads does not wait for a transaction
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

  /** Reads from memory, for Back within the page. */
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

  /** Reads from storage. The next save replaces the work if it belongs to this tab, otherwise it creates new work. */
  async find(address: string): Promise<Work | undefined> {
    this.flush()
    this.#current = null
    const works = await this.#all()
    for (const { id } of works.slice(WORKS_MAX)) this.#change(all => all.delete(id))
    const shown = works.filter(isShownAt(address))
    const byId = (wanted: string | null | undefined) => shown.find(({ id }) => id === wanted)
    const own = byId(entryId()) ?? byId(this.#tabId())
    // the visitor may have started other work in the meantime
    this.#current ??= own ?? null
    // a tab whose work was removed starts without work
    const found = own ?? (address === '' && this.#tabId() !== null ? undefined : shown[0])
    this.#shownId = this.#current?.id ?? found?.id ?? ''
    return found
  }

  /** All stored work except the one that is shown, latest first. */
  async others(): Promise<Work[]> {
    return (await this.#all()).filter(({ id }) => id !== this.#shownId)
  }

  /** Makes stored work this tab's work. */
  take(work: Work): void {
    this.flush()
    this.#current = work
    this.#shownId = work.id
    this.#setTabId(work.id)
  }

  remove(id: string): void {
    this.#change(all => all.delete(id))
  }

  /** Removes the shown work; after that, this tab has no work. */
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

  /** Call this before the page unloads. */
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

  /** Removes all work. */
  forget(): void {
    this.#drop()
    this.#change(all => all.clear())
  }
}
