/** The default directory for keys and counts. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { isCheckout } from './package-root.js'

type Environment = Record<string, string | undefined>

/** XDG state directory; undefined for a user without a home directory, as in a container. */
function stateHome({ XDG_STATE_HOME, LOCALAPPDATA, HOME }: Environment): string | undefined {
  const configured = process.platform === 'win32' ? (XDG_STATE_HOME ?? LOCALAPPDATA) : XDG_STATE_HOME
  if (configured !== undefined && isAbsolute(configured)) return configured
  try {
    return join(HOME || homedir(), '.local', 'state')
  } catch {
    return undefined
  }
}

/**
 * An installed program must find the same keys from every working directory. A checkout uses the folder `data` below the
 * working directory.
 */
export function defaultDataDir(env: Environment, inCheckout = isCheckout()): string {
  const state = inCheckout ? undefined : stateHome(env)
  return state === undefined ? 'data' : join(state, 'hsapi')
}
