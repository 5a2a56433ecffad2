/** Runs the tests of the Python client against a real server. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { makeCertificate, WITHOUT_OPENSSL } from '../support/certificate.js'
import { ROOT } from '../support/cli.js'
import { runProgram } from '../support/program.js'
import { openService } from '../support/service.js'

const PYTHON = '/usr/bin/python3'
const hasPython = spawnSync(PYTHON, ['--version']).status === 0

t.test(
  'the tests of the Python client pass without warnings',
  { skip: hasPython ? false : 'python3 is not installed' },
  async t => {
    const { url, auth } = await openService(t)
    const tls = WITHOUT_OPENSSL ? undefined : makeCertificate(t)
    const env = {
      ...process.env,
      HSAPI_URL: url,
      HSAPI_KEY: auth['x-api-key'] ?? '',
      PYTHONDONTWRITEBYTECODE: '1',
      ...(tls && { ...tls, SSL_CERT_FILE: tls.HSAPI_TLS_CERT }),
    }
    const tests = join(ROOT, 'clients/python/tests')
    const { code, output } = await runProgram(PYTHON, ['-W', 'error', '-m', 'unittest', 'discover', '-s', tests], env)
    t.equal(code, 0, output)
    t.match(output, /Ran 29 tests/)
  },
)
