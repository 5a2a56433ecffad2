/** Checks the data directory, the rights of files, keys, and the limit of open files. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isoDay } from '../clock.js'
import { KeyFile } from '../keys/key-file.js'
import type { Config } from '../settings/config.js'
import { type Finding, fails, ok, warning } from './finding.js'

const MEGABYTE = 1024 * 1024
/** Enough for the counts of a million keys and a copy of these counts. */
const FREE_MB_MIN = 100
const FREE_MB_LOW = 1024
const OPEN_FILES_LOW = 4_096
/** Mode bits of the group and others, and of others only. */
const OTHERS = 0o077
const WORLD = 0o007

const octal = (mode: number) => (mode & 0o777).toString(8)

async function existingParent(path: string): Promise<string> {
  const parent = dirname(path)
  return (await stat(parent).catch(() => undefined)) === undefined && parent !== path ? existingParent(parent) : parent
}

export async function checkDataDirectory({ dataDir }: Config): Promise<Finding[]> {
  const found = await stat(dataDir).catch(() => undefined)
  if (found === undefined) {
    const parent = await existingParent(dataDir)
    await access(parent, constants.W_OK | constants.X_OK)
    return [ok(`${dataDir} does not exist yet; it can be created`), await freeSpace(parent)]
  }
  if (!found.isDirectory()) return [fails(`${dataDir} is not a directory`)]
  const probe = join(dataDir, `doctor.${randomBytes(4).toString('hex')}.tmp`)
  try {
    await writeFile(probe, 'x')
  } finally {
    await rm(probe, { force: true })
  }
  return [ok(`${dataDir} can be written`), await freeSpace(dataDir)]
}

async function freeSpace(directory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory)
  const megabytes = Math.floor((bavail * bsize) / MEGABYTE)
  const text = `${megabytes} MB free`
  if (megabytes < FREE_MB_MIN) return fails(`${text}; counts and keys may soon not be saved`)
  return megabytes < FREE_MB_LOW ? warning(text) : ok(text)
}

/** Files that only the server's user should read. */
export async function checkFiles({ dataDir, tls }: Config): Promise<Finding[]> {
  const names = (await readdir(dataDir).catch(() => [])).filter(name => /^(?:keys|usage).*\.(?:json|log)$/.test(name))
  const findings: Finding[] = []
  const own = process.getuid?.()
  for (const path of [dataDir, ...names.map(name => join(dataDir, name))]) {
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) continue
    if ((found.mode & OTHERS) !== 0)
      findings.push(warning(`${path} may be read by others (${octal(found.mode)}): chmod ${found.isDirectory() ? '700' : '600'}`))
    if (own !== undefined && own !== 0 && found.uid !== own)
      findings.push(fails(`${path} belongs to user ${found.uid}, and this is user ${own}`))
  }
  if (tls !== undefined) {
    const { mode } = await stat(tls.key)
    if ((mode & WORLD) !== 0) findings.push(warning(`${tls.key} may be read by everyone (${octal(mode)}): chmod 600`))
  }
  return findings.length === 0 ? [ok('only this user reads keys and counts')] : findings
}

export async function checkKeyFile({ keys, dataDir, firstKey, log }: Config): Promise<Finding[]> {
  // the check of Redis covers keys that are stored there
  if (keys === 'redis') return []
  const notices: Finding[] = []
  const records = await new KeyFile(dataDir, { notify: sentence => notices.push(warning(sentence)) }).read()
  if (records === undefined)
    return [
      firstKey && log !== 'json' ? ok('none yet; a first start creates one') : warning('none yet: "hsapi keys create" makes one'),
    ]
  const today = isoDay(Date.now())
  const active = records.filter(({ revoked_at: at, expires_at: day }) => at === null && (day === null || day >= today)).length
  return [
    ...notices,
    active === 0 ? warning('no key is active: "hsapi keys create" makes one') : ok(`${active} active of ${records.length}`),
  ]
}

/** Each connection needs an open file. */
export async function checkOpenFiles(): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  if (soft === undefined) return []
  const text = `at most ${soft}, one for each connection`
  return [Number(soft) < OPEN_FILES_LOW ? warning(`${text}: raise it with ulimit -n or LimitNOFILE`) : ok(text)]
}
