/** Opens the OpenAPI contract in Swagger UI, with the visitor's key, if any, to try requests. */
interface Viewer {
  preauthorizeApiKey(scheme: string, key: string): void
}

declare const SwaggerUIBundle: (options: Record<string, unknown>) => Viewer

/** The localStorage item in which data/key.ts stores the visitor's key. */
const KEPT_KEY = 'hsapi-key'
/** Name of the X-Api-Key scheme in the contract. */
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

/** Swagger UI switches its colours by a class. */
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
  // the default loads a badge from another server
  validatorUrl: null,
  onComplete: async () => {
    const key = await findKey()
    if (key !== null) viewer.preauthorizeApiKey(SCHEME, key)
    root.dataset.ready = key === null ? 'without-key' : 'with-key'
  },
})
