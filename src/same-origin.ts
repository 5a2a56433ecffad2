/** Whether a browser's request comes from a page of the same host. */

export interface RequestHost {
  /** Normalised, without the port. */
  name: string
  /** Two spellings of the host and port: normalised, and as sent. They differ if a default port was sent. */
  spellings: readonly string[]
}

/** Parses a Host header; undefined if it is invalid. */
export function requestHost(header: string): RequestHost | undefined {
  const address = `http://${header}/`
  // other characters, such as a slash, would become another part of the URL
  if (!/^[a-z0-9.:[\]-]+$/i.test(header) || !URL.canParse(address)) return undefined
  const { host, hostname } = new URL(address)
  return { name: hostname, spellings: [host, header.toLowerCase()] }
}

/** Whether a page belongs to this host. `page`: an Origin or Referer header. */
export function isPageOf(page: string, { spellings }: RequestHost): boolean {
  return URL.canParse(page) && spellings.includes(new URL(page).host)
}

/** `site`: a Sec-Fetch-Site header. Its value `none` means a typed address, which does not count as the same origin. */
export const isSameOrigin = (site: string) => site === 'same-origin'
