/** Installs the service worker, which opens the pages offline. Browsers allow it only over HTTPS and on localhost. */

let installed: Promise<boolean> = Promise.resolve(false)

/** Whether the worker is installed; false if `installWorker` was not called. */
export const hasWorker = () => installed

async function register(): Promise<boolean> {
  try {
    return (await navigator.serviceWorker?.register('/worker.js')) !== undefined
  } catch {
    // the pages work without it
    return false
  }
}

/** Waits for `isPageLoaded`, because the worker's downloads must not delay the page. */
export function installWorker(isPageLoaded: Promise<unknown>): void {
  installed = isPageLoaded.then(register)
}
