/** Takes a lock, reports it, and never releases it: the caller kills this process. */
import { FileLock } from '../../dist/src/files/file-lock.js'

const [, , path] = process.argv
const lock = await FileLock.take(path, 5_000)
process.stdout.write(lock instanceof FileLock ? 'held\n' : 'not taken\n')
setInterval(() => {}, 1_000)
