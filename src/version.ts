import { readFileSync } from 'node:fs'

/** package.json is two levels up from the compiled file and one from the source. */
function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
      if (name === 'hsapi') return version as string
    } catch {
      // try the next place
    }
  }
  return '0.0.0'
}

export const VERSION = readVersion()
