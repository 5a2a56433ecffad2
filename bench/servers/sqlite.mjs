/** SQLite from the available package: better-sqlite3, or the module in newer versions of Node. */
import { require } from './fastify-app.mjs'

/** @returns {object} a database with `exec` and `prepare` */
export function openDatabase(file) {
  try {
    return new (require('better-sqlite3'))(file)
  } catch (reason) {
    try {
      return new (require('node:sqlite').DatabaseSync)(file)
    } catch {
      const why = reason.message.split('\n')[0]
      throw new Error(`neither better-sqlite3 nor node:sqlite can be loaded: ${why}`)
    }
  }
}
