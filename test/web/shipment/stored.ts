/** The work that the shipment page has stored in the browser. */
import type { Page } from 'playwright-core'
import { until } from '../../support/browser.js'

/** All stored work of the shipment page. */
const STORED = `new Promise((resolve, reject) => {
  const open = indexedDB.open('hsapi-shipment', 1)
  open.onerror = () => reject(open.error)
  open.onupgradeneeded = () => open.result.createObjectStore('shipment', { keyPath: 'id' })
  open.onsuccess = () => {
    const all = open.result.transaction('shipment').objectStore('shipment').getAll()
    all.onsuccess = () => { open.result.close(); resolve(all.result) }
  }
})`

/** Waits until stored work meets the condition: a page that closes earlier may lose the latest change. */
export const stored = (page: Page, condition: string) => until(page, `${STORED}.then(works => works.some(work => ${condition}))`)
