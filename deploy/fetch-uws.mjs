/**
 * Installs the uWebSockets.js binary for 64-bit Arm, for which npm has no separate package. Takes one file from the
 * `uwebsockets` package, which contains the binaries of all platforms, and puts it where src/engines/uws.ts looks. With 98 MB,
 * the whole package is too large to be a dependency. A checkout runs this before it compiles, an installed hsapi on request
 * (`hsapi engine --fetch`). It is not npm's `prepare` script, because npm asks for permission before it installs an archive
 * that has one.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = 'uwebsockets@3.0.6'
/**
 * The binaries by platform; a file with another checksum is refused. `upstream`: the tag of uWebSockets.js that contains the
 * same file. No version supports all platforms: newer ones need glibc 2.38 and do not support Node 20.
 */
const BINARIES = {
  'linux-arm64-20': {
    upstream: 'v20.41.0',
    file: 'uws_linux_arm64_115.node',
    sha256: '034e0fcccdc08f90df3b130f421516311831b1352fe38eab91abc2984c2fdf3a',
  },
  'linux-arm64-22': {
    upstream: 'v20.64.0',
    file: 'uws_linux_arm64_127.node',
    sha256: 'a7d9bc3ec166421a49416d5ea4f49118ae68ea1dbf8a765c4f45a79b0b6adb13',
  },
  'linux-arm64-24': {
    upstream: 'v20.64.0',
    file: 'uws_linux_arm64_137.node',
    sha256: 'b6eb007d627e00bcce03ad38f197124e9027c03f6fe784b37f97b8a6ea709cb4',
  },
}

const root = fileURLToPath(new URL('..', import.meta.url))
const platform = `${process.platform}-${process.arch}-${process.versions.node.split('.')[0]}`

/**
 * In a checkout, the folder of the other packages, where sources and tests find the binary. In an installed hsapi, npm would
 * delete it from that folder at its next run, because no package depends on it; npm does not change dist/.
 */
const modules = root.includes('/node_modules/') ? 'dist/node_modules' : 'node_modules'
const target = join(root, modules, '@uwsjs', platform)

function isInstalled() {
  try {
    createRequire(join(root, 'dist/src/engines/uws.js')).resolve(`@uwsjs/${platform}`)
    return true
  } catch {
    return false
  }
}

function npm(...args) {
  const cli = process.env.npm_execpath
  // in a program that npx starts, the variable is the path of npx
  const [command, first] = cli && !cli.endsWith('npx-cli.js') ? [process.execPath, [cli]] : ['npm', []]
  return execFileSync(command, [...first, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

function fetchBinary({ upstream, file, sha256 }) {
  const folder = mkdtempSync(join(tmpdir(), 'hsapi-uws-'))
  try {
    const archive = npm('pack', SOURCE, '--fetch-retries=0', '--pack-destination', folder).trim().split('\n').pop()
    execFileSync('tar', ['-xzf', join(folder, archive), '-C', folder, `package/${file}`])
    const binary = readFileSync(join(folder, 'package', file))
    const found = createHash('sha256').update(binary).digest('hex')
    if (found !== sha256) throw new Error(`${file} of ${SOURCE} has the unexpected checksum ${found}`)
    mkdirSync(target, { recursive: true })
    writeFileSync(join(target, 'uws.node'), binary)
    const manifest = { name: `@uwsjs/${platform}`, version: upstream.slice(1), main: 'uws.node' }
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether a binary for this platform and version of Node is listed. */
export const isListed = Object.hasOwn(BINARIES, platform)

/** Fetches the binary if it is listed and not installed yet; returns whether it was fetched. Throws if fetching fails. */
export function fetchUws() {
  if (!isListed || isInstalled()) return false
  fetchBinary(BINARIES[platform])
  return true
}

function isMain() {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
}

if (isMain()) {
  try {
    fetchUws()
  } catch (error) {
    // only a warning: the build works without the binary, and a server that starts without it reports that
    console.warn(`hsapi: the uWebSockets.js binary for ${platform} could not be fetched: ${error.message}`)
  }
}
