/** The environment, read once and believed only after checking. */
import { join } from 'node:path'
import { OperatorError } from './errors.js'
import { PACKAGE_ROOT } from './package-root.js'

const ENGINES = ['auto', 'uws', 'node'] as const

export interface Config {
  host: string
  port: number
  dataDir: string
  snapshot: string
  /** Threads that answer, the first included. */
  workers: number
  /** `auto` is the faster one that loads here. */
  engine: (typeof ENGINES)[number]
}

type Environment = Record<string, string | undefined>

function text(env: Environment, name: string, fallback: string): string {
  const value = env[name]
  if (value === undefined) return fallback
  if (value.trim() === '') throw new OperatorError(`${name} is set but empty; unset it to use ${fallback}`)
  return value
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const value = env[name]
  if (value === undefined) return fallback
  if (!/^[0-9]{1,9}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new OperatorError(`${name} is "${value}"; it must be a whole number from ${min} to ${max}`)
  }
  return Number(value)
}

function choice<Name extends string>(
  env: Environment,
  name: string,
  choices: readonly Name[],
  fallback: Name,
): Name {
  const value = env[name] ?? fallback
  if (!(choices as readonly string[]).includes(value))
    throw new OperatorError(`${name} is "${value}"; it must be one of ${choices.join(', ')}`)
  return value as Name
}

const KNOWN = [
  'HSAPI_HOST',
  'HSAPI_PORT',
  'HSAPI_DATA_DIR',
  'HSAPI_SNAPSHOT',
  'HSAPI_WORKERS',
  'HSAPI_ENGINE',
]

/** Variables that look like ours and are not: mistyped, or of another version. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env).filter(name => name.startsWith('HSAPI_') && !KNOWN.includes(name))
}

export function readConfig(env: Environment): Config {
  const config: Config = {
    host: text(env, 'HSAPI_HOST', '127.0.0.1'),
    port: integer(env, 'HSAPI_PORT', 8080, 0, 65_535),
    dataDir: text(env, 'HSAPI_DATA_DIR', 'data'),
    snapshot: text(env, 'HSAPI_SNAPSHOT', join(PACKAGE_ROOT, 'dist', 'hs.snapshot')),
    workers: integer(env, 'HSAPI_WORKERS', 1, 1, 64),
    engine: choice(env, 'HSAPI_ENGINE', ENGINES, 'auto'),
  }
  // named in the plan, not built yet: better to stop than to serve something else than asked
  if (env.HSAPI_REDIS_URL !== undefined) {
    throw new OperatorError('HSAPI_REDIS_URL: this version keeps counters in files only; unset the variable')
  }
  return config
}
