/** Opens the contract in its viewer, with a key where there is one. */
interface Viewer {
  preauthorizeApiKey(scheme: string, key: string): void
}

declare const SwaggerUIBundle: (options: Record<string, unknown>) => Viewer

/** Where the pages keep the key that a visitor gave them. */
const KEPT_KEY = 'hsapi-key'

async function findKey(): Promise<string | null> {
  try {
    const response = await fetch('/explorer.json')
    const { key } = (await response.json()) as { key?: string }
    return key ?? localStorage.getItem(KEPT_KEY)
  } catch {
    return null
  }
}

const viewer = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  tryItOutEnabled: true,
  // a badge from a server elsewhere otherwise
  validatorUrl: null,
  onComplete: async () => {
    const key = await findKey()
    if (key !== null) viewer.preauthorizeApiKey('apiKey', key)
  },
})
