/** Opens the contract in its viewer, ready to try with a key where there is one. */
interface Viewer {
  preauthorizeApiKey(scheme: string, key: string): void
}

declare const SwaggerUIBundle: (options: Record<string, unknown>) => Viewer

/** Where the pages keep the key that a visitor gave them. */
const KEPT_KEY = 'hsapi-key'
/** The contract's name for X-Api-Key. */
const SCHEME = 'apiKey'

function keptKey(): string | null {
  try {
    return localStorage.getItem(KEPT_KEY)
  } catch {
    // storage may be forbidden
    return null
  }
}

async function findKey(): Promise<string | null> {
  try {
    const response = await fetch('/explorer.json')
    const { key } = (await response.json()) as { key?: string }
    return key ?? keptKey()
  } catch {
    return keptKey()
  }
}

const root = document.documentElement
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** The viewer has colours of its own, by a class. */
function followTheme(): void {
  const isDark = root.dataset.theme === 'dark' || (root.dataset.theme !== 'light' && prefersDark.matches)
  root.classList.toggle('dark-mode', isDark)
}

followTheme()
prefersDark.addEventListener('change', followTheme)

const viewer = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // otherwise a badge from a server elsewhere
  validatorUrl: null,
  onComplete: async () => {
    const key = await findKey()
    if (key !== null) viewer.preauthorizeApiKey(SCHEME, key)
    root.dataset.ready = key === null ? 'without-key' : 'with-key'
  },
})
