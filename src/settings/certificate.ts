/** Reads and checks the certificate of the server, because uWebSockets.js does not report why it cannot use the files. */
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { OperatorError } from '../errors.js'

export interface Certificate {
  /** When the certificate expires. */
  endsMs: number
  /** Changes when one of the two files is replaced. */
  digest: string
  x509: X509Certificate
}

/** Throws an `OperatorError` that names the variable. */
export function readCertificate(files: { cert: string; key: string }): Certificate {
  const read = (name: string, file: string) => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new OperatorError(`${name}: ${(error as Error).message}`)
    }
  }
  const [cert, key] = [read('HSAPI_TLS_CERT', files.cert), read('HSAPI_TLS_KEY', files.key)]
  try {
    createSecureContext({ cert, key })
    const x509 = new X509Certificate(cert)
    return { endsMs: Date.parse(x509.validTo), digest: createHash('sha256').update(cert).update(key).digest('hex'), x509 }
  } catch (error) {
    throw new OperatorError(`HSAPI_TLS_CERT and HSAPI_TLS_KEY cannot be used: ${(error as Error).message}`)
  }
}
