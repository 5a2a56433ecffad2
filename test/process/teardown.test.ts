import t from 'tap'
import { Teardown } from '../../src/process/teardown.js'

t.test('counts are saved after the last request, and before a last step that hangs', async t => {
  const teardown = new Teardown()
  const done: string[] = []
  let isOver = false
  // added in the opposite order, so that only the phases can produce the right order
  const hanging = new Promise<void>(resolve => {
    teardown.push('rest', () => {
      done.push('rest')
      resolve()
      return new Promise(() => {})
    })
  })
  teardown.push('counts', async () => done.push('counts'))
  teardown.push('requests', async () => {
    await new Promise(setImmediate)
    done.push('requests')
  })
  void teardown.run().then(() => {
    isOver = true
  })
  await hanging
  t.strictSame(done, ['requests', 'counts', 'rest'])
  t.notOk(isOver, 'the last step still hangs')
})

t.test('a step that fails is reported, and the others run', async t => {
  const teardown = new Teardown()
  const done: string[] = []
  teardown.push('requests', () => {
    throw new Error('the socket is gone')
  })
  teardown.push('counts', () => done.push('counts'))
  t.strictSame(await teardown.run(), ['the socket is gone'])
  t.strictSame(done, ['counts'])
  t.strictSame(await teardown.run(), [], 'each step runs once')
  t.strictSame(done, ['counts'])
})
