/** What browsers are told to keep from the pages: everything that they do not need. */

/** `same-origin`: our own requests say where they come from, which tells them from those through a proxy; others learn nothing. */
export const SECURITY: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const policy = (...more: string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ')

export const PAGE_POLICY = policy("style-src 'self'", "img-src 'self' data:")
/** The viewer brings its own pictures as data. */
export const DOCS_POLICY = policy("style-src 'self'", "img-src 'self' data:")

export function securityOf(contentPolicy: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...SECURITY,
  }
}
