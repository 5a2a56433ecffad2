import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryDirectory } from './service.js'

export const WITHOUT_OPENSSL = spawnSync('openssl', ['version']).error !== undefined && 'openssl is not installed'

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Writes a self-signed certificate for `name` and 127.0.0.1. Replaces existing files. */
export function writeCertificate(cert: string, key: string, name = 'localhost', days = 30): void {
  const names = `subjectAltName=DNS:${name},IP:127.0.0.1`
  const args = [
    'req',
    '-x509',
    ...EC,
    '-subj',
    `/CN=${name}`,
    '-addext',
    names,
    '-days',
    String(days),
    '-keyout',
    key,
    '-out',
    cert,
  ]
  execFileSync('openssl', args, { stdio: 'ignore' })
}

export function makeCertificate(t: Test, name?: string, days?: number): { HSAPI_TLS_CERT: string; HSAPI_TLS_KEY: string } {
  const directory = temporaryDirectory(t)
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  writeCertificate(cert, key, name, days)
  return { HSAPI_TLS_CERT: cert, HSAPI_TLS_KEY: key }
}
