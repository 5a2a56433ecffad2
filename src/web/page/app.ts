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

/** Once the page is there: what the worker fetches must not delay it. */
export function installWorker(): void {
  installed = new Promise<void>(resolve => {
    if (document.readyState === 'complete') resolve()
    else window.addEventListener('load', () => resolve(), { once: true })
  }).then(register)
}
