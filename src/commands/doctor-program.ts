import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS, isoDay, isoSeconds } from '../clock.js'
import { OperatorError } from '../errors.js'
import { packageRoot } from '../package-root.js'
import { readCertificate } from '../settings/certificate.js'
import type { Config } from '../settings/config.js'
import { loadSnapshot } from '../snapshot/load.js'
import { snapshotInUse } from '../snapshot-in-use.js'
import { currentPlatform, engineReport } from './engine.js'
import { type Finding, fails, ok, warning } from './finding.js'

const NODE_MAJOR_MIN = 20
/** The last day of security fixes, by major version of Node. */
const NODE_ENDS: Readonly<Record<string, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' }
const CERTIFICATE_DAYS_MIN = 14

export function checkNode(version = process.versions.node, nowMs = Date.now()): Finding {
  const [major = ''] = version.split('.')
  if (Number(major) < NODE_MAJOR_MIN) return fails(`Node ${version} is too old: use 22 or 24`)
  const end = NODE_ENDS[major]
  if (end !== undefined && end < isoDay(nowMs))
    return warning(`Node ${version} works, but has had no fixes since ${end}: use 22 or 24`)
  return ok(`Node ${version}`)
}

export function checkEngine({ engine: choice, workers, sharePort }: Config): Finding[] {
  const { engine, version, because, advice } = engineReport(choice, currentPlatform())
  if (version !== null) return [ok(`${engine} ${version} (${because})`)]
  if (workers > 1) return [fails(`${engine} uses only one thread, but HSAPI_WORKERS is ${workers}. ${advice}`)]
  if (sharePort) return [fails(`${engine} cannot share a port, but HSAPI_SHARE_PORT is 1. ${advice}`)]
  return [warning(`${engine}, which is slower. ${advice}`)]
}

export async function checkSnapshot(config: Config): Promise<Finding[]> {
  const { file, origin } = snapshotInUse(config)
  const { meta } = await loadSnapshot(file)
  const countries = meta.countries.map(({ code }) => code)
  if (config.country !== undefined && !countries.includes(config.country))
    return [fails(`${file} has no data for HSAPI_COUNTRY ${config.country}`)]
  return [ok(`${file} (${origin}): ${meta.edition}${meta.version === '' ? '' : `, ${meta.version}`}, ${meta.records} records`)]
}

export function checkCertificate({ tls }: Config): Finding[] {
  if (tls === undefined) return []
  const { endsMs, x509 } = readCertificate(tls)
  const days = Math.floor((endsMs - Date.now()) / DAY_MS)
  const names = (x509.subjectAltName ?? '').replaceAll(/(?:DNS|IP Address):/g, '')
  const text = `${tls.cert}: valid until ${isoDay(endsMs)}, ${days} days, for ${names === '' ? 'no name' : names}`
  if (days < 0) return [fails(`${tls.cert} expired on ${isoDay(endsMs)}`)]
  if (Date.parse(x509.validFrom) > Date.now()) return [fails(`${tls.cert} is valid only from ${x509.validFrom}`)]
  // a certificate without alternative names is useless: browsers and most clients ignore the common name
  return [days < CERTIFICATE_DAYS_MIN || names === '' ? warning(text) : ok(text)]
}

/** Keys, quotas and certificates depend on the clock. The check of Redis compares this clock with the clock of Redis. */
export function checkClock(): Finding[] {
  const nowMs = Date.now()
  const installedMs = statSync(join(packageRoot(), 'package.json')).mtimeMs
  if (nowMs < installedMs - DAY_MS)
    throw new OperatorError(
      `the clock shows ${isoSeconds(nowMs)}, which is before this program was installed (${isoSeconds(installedMs)})`,
    )
  return [ok(isoSeconds(nowMs))]
}
