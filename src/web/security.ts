/** What browsers are told to keep from the pages: everything that they do not need. */

/** `same-origin`: our own requests say where they come from, which tells them from those through a proxy; others learn nothing. */
export const SECURITY: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** The same for every page: the viewer of the contract gets by with it, too. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const PAGE_SECURITY: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  ...SECURITY,
}
