import { homedir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { defaultDataDir } from '../../src/data-home.js'
import { readConfig } from '../../src/settings/config.js'

t.test('by default, data is stored in the XDG state directory, or in ./data if the program runs from a checkout', async t => {
  t.equal(defaultDataDir({ HOME: '/home/a', XDG_STATE_HOME: '/state' }, true), 'data')
  t.equal(defaultDataDir({ HOME: '/home/a', XDG_STATE_HOME: '/state' }, false), join('/state', 'hsapi'))
  t.equal(defaultDataDir({ HOME: '/home/a' }, false), join('/home/a', '.local', 'state', 'hsapi'))
  t.equal(
    defaultDataDir({ HOME: '/home/a', XDG_STATE_HOME: 'state' }, false),
    join('/home/a', '.local', 'state', 'hsapi'),
    'a relative XDG_STATE_HOME is ignored, as the XDG specification requires',
  )
  t.equal(defaultDataDir({}, false), join(homedir(), '.local', 'state', 'hsapi'))
  t.equal(readConfig({ HSAPI_DATA_DIR: '/keys' }).dataDir, '/keys', 'HSAPI_DATA_DIR overrides both')
})
