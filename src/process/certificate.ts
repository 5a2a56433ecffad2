/** Reads the certificate again at a reload. If the new one cannot be used, the old one stays in use. */
import { type Certificate, readCertificate } from '../settings/certificate.js'
import type { ThreadConfig } from '../settings/config.js'
import type { ReloadResult } from './data-folder.js'
import type { Log } from './log.js'
import { oneAtATime } from './one-at-a-time.js'

export class CertificateInUse {
  #certificate: Certificate

  constructor(
    private readonly files: NonNullable<ThreadConfig['tls']>,
    /** Settles once every thread uses the certificate for new connections. */
    private readonly renew: () => Promise<void>,
    private readonly log: Log,
  ) {
    this.#certificate = readCertificate(files)
  }

  get endsMs(): number {
    return this.#certificate.endsMs
  }

  /** Undefined if the files are the same as before. */
  readonly reload = oneAtATime(async (): Promise<ReloadResult | undefined> => {
    let result: ReloadResult
    try {
      const certificate = readCertificate(this.files)
      if (certificate.digest === this.#certificate.digest) return undefined
      await this.renew()
      this.#certificate = certificate
      const until = new Date(certificate.endsMs).toISOString().slice(0, 10)
      result = { isLoaded: true, message: `${this.files.cert} is now used for new connections; it is valid until ${until}` }
    } catch (error) {
      result = { isLoaded: false, message: `${(error as Error).message}; still using the previous certificate` }
    }
    this.log(`hsapi: ${result.message}`, result.isLoaded ? 'info' : 'warning')
    return result
  })
}
