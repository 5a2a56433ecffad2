/** The worker that opens these pages without a connection. Browsers have it only over HTTPS and on this machine. */

let installed: Promise<boolean> = Promise.resolve(false)

/** Whether it is there; without `installWorker` it is not. */
export const hasWorker = () => installed

async function register(): Promise<boolean> {
  try {
    return (await navigator.serviceWorker?.register('/worker.js')) !== undefined
  } catch {
    // the pages work without it
    return false
  }
}

/** After `isPageLoaded`: what the worker fetches must not delay the page. */
export function installWorker(isPageLoaded: Promise<unknown>): void {
  installed = isPageLoaded.then(register)
}
