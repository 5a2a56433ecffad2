/** Checks the data directory, file permissions, the key file, and the limit of open files. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isoDay } from '../clock.js'
import { KeyFile } from '../keys/key-file.js'
import type { Config } from '../settings/config.js'
import { type Finding, fails, ok, warning } from './finding.js'

const MEGABYTE = 1024 * 1024
/** Enough space for the counts of a million keys and a copy of these counts. */
const FREE_MB_MIN = 100
const FREE_MB_LOW = 1024
const OPEN_FILES_LOW = 4_096
/** Permission bits of group and others together, and of others alone. */
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
  if (megabytes < FREE_MB_MIN) return fails(`${text}; soon counts and keys can no longer be saved`)
  return megabytes < FREE_MB_LOW ? warning(text) : ok(text)
}

/** Checks that only the server's user can read keys, counts and the TLS key. */
export async function checkFiles({ dataDir, tls }: Config): Promise<Finding[]> {
  const names = (await readdir(dataDir).catch(() => [])).filter(name => /^(?:keys|usage).*\.(?:json|log)$/.test(name))
  const findings: Finding[] = []
  const userId = process.getuid?.()
  for (const path of [dataDir, ...names.map(name => join(dataDir, name))]) {
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) continue
    if ((found.mode & OTHERS) !== 0)
      findings.push(warning(`${path} may be read by others (${octal(found.mode)}): chmod ${found.isDirectory() ? '700' : '600'}`))
    if (userId !== undefined && userId !== 0 && found.uid !== userId)
      findings.push(fails(`${path} belongs to user ${found.uid}, but this command runs as user ${userId}`))
  }
  if (tls !== undefined) {
    const { mode } = await stat(tls.key)
    if ((mode & WORLD) !== 0) findings.push(warning(`${tls.key} may be read by everyone (${octal(mode)}): chmod 600`))
  }
  return findings.length === 0 ? [ok('only this user can read keys and counts')] : findings
}

export async function checkKeyFile({ keys, dataDir, firstKey, log }: Config): Promise<Finding[]> {
  // checkRedis counts the keys in Redis
  if (keys === 'redis') return []
  const notices: Finding[] = []
  const records = await new KeyFile(dataDir, { notify: sentence => notices.push(warning(sentence)) }).read()
  if (records === undefined)
    return [
      firstKey && log !== 'json'
        ? ok('none yet; the first start creates one')
        : warning('none yet: "hsapi keys create" creates one'),
    ]
  const today = isoDay(Date.now())
  const active = records.filter(({ revoked_at: at, expires_at: day }) => at === null && (day === null || day >= today)).length
  return [
    ...notices,
    active === 0 ? warning('no key is active: "hsapi keys create" creates one') : ok(`${active} active of ${records.length}`),
  ]
}

/** Checks the limit of open files, because each connection needs one. */
export async function checkOpenFiles(): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  if (soft === undefined) return []
  const text = `at most ${soft}, one for each connection`
  return [Number(soft) < OPEN_FILES_LOW ? warning(`${text}: raise it with ulimit -n or LimitNOFILE`) : ok(text)]
}
