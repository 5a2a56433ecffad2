import { homedir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { defaultDataDir } from '../../src/data-home.js'
import { readConfig } from '../../src/settings/config.js'

t.test('an installed program keeps keys where programs keep such things, a checkout beside its sources', async t => {
  t.equal(defaultDataDir({ HOME: '/home/a', XDG_STATE_HOME: '/state' }, true), 'data')
  t.equal(defaultDataDir({ HOME: '/home/a', XDG_STATE_HOME: '/state' }, false), join('/state', 'hsapi'))
  t.equal(defaultDataDir({ HOME: '/home/a' }, false), join('/home/a', '.local', 'state', 'hsapi'))
  t.equal(
    defaultDataDir({ HOME: '/home/a', XDG_STATE_HOME: 'state' }, false),
    join('/home/a', '.local', 'state', 'hsapi'),
    'what is not absolute does not count, as XDG has it',
  )
  t.equal(defaultDataDir({}, false), join(homedir(), '.local', 'state', 'hsapi'))
  t.equal(readConfig({ HSAPI_DATA_DIR: '/keys' }).dataDir, '/keys', 'HSAPI_DATA_DIR decides')
})
