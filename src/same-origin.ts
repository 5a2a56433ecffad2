/** Whether a browser's request comes from a page of the very host that it asks, and not from another site's. */

export interface RequestHost {
  /** Without the port; addresses in their usual spelling. */
  name: string
  /** With the port: as browsers write it in an address, and as it was sent. They differ by a default port. */
  spellings: readonly string[]
}

/** Of a Host header; undefined where it is no host. */
export function requestHost(header: string): RequestHost | undefined {
  const address = `http://${header}/`
  // whatever is more than a host and a port, such as a path, would end up elsewhere in the address
  if (!/^[a-z0-9.:[\]-]+$/i.test(header) || !URL.canParse(address)) return undefined
  const { host, hostname } = new URL(address)
  return { name: hostname, spellings: [host, header.toLowerCase()] }
}

/** `page`: an Origin or a Referer. */
export function isPageOf(page: string, { spellings }: RequestHost): boolean {
  return URL.canParse(page) && spellings.includes(new URL(page).host)
}

/** `site`: a Sec-Fetch-Site. An address that somebody typed (`none`) is no page of ours. */
export const isSameOrigin = (site: string) => site === 'same-origin'
