/** Where keys and counts are kept unless HSAPI_DATA_DIR says so. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { isCheckout } from './package-root.js'

type Environment = Record<string, string | undefined>

/** As the XDG base directories have it; a user that has no home, as in a container, keeps things where the program is started. */
function stateHome({ XDG_STATE_HOME, LOCALAPPDATA, HOME }: Environment): string | undefined {
  const told = process.platform === 'win32' ? (XDG_STATE_HOME ?? LOCALAPPDATA) : XDG_STATE_HOME
  if (told !== undefined && isAbsolute(told)) return told
  try {
    return join(HOME || homedir(), '.local', 'state')
  } catch {
    return undefined
  }
}

/**
 * Keys must not depend on the folder that a command is typed in: an installed program keeps them with what else programs
 * keep for a user. A checkout has them beside its sources.
 */
export function defaultDataDir(env: Environment, inCheckout = isCheckout()): string {
  const state = inCheckout ? undefined : stateHome(env)
  return state === undefined ? 'data' : join(state, 'hsapi')
}
