import { OperatorError } from '../errors.js'
import type { TableColumn, TableWriter, Value } from './write.js'

/** What is used of `node:sqlite`, which the types of Node 20 lack. */
interface Database {
  exec(sql: string): void
  prepare(sql: string): { run(...values: (string | number | null)[]): void }
  close(): void
}

const TYPES: Readonly<Record<TableColumn['kind'], string>> = {
  text: 'TEXT',
  code: 'TEXT',
  codes: 'TEXT',
  number: 'NUMERIC',
  flag: 'INTEGER',
}

/** Node 20 has no such module, and 22 before 22.13 only with a flag. */
export async function openSqlite(file: string): Promise<Database> {
  const { emitWarning } = process
  // Node calls it experimental, which is nothing that a user of the command could act on
  process.emitWarning = () => {}
  try {
    const module: string = 'node:sqlite'
    const { DatabaseSync } = (await import(module)) as { DatabaseSync: new (file: string) => Database }
    return new DatabaseSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw error
    throw new OperatorError(`SQLite needs Node 22.13 or newer, and this is ${process.version}; the other formats work here`)
  } finally {
    process.emitWarning = emitWarning
  }
}

const named = (name: string) => `"${name.replaceAll('"', '""')}"`

/** One table with the first column as its key, and a table `about` of names and values. Written by SQLite itself, not through a handle. */
export class SqliteWriter implements TableWriter {
  readonly #insert: ReturnType<Database['prepare']>

  constructor(
    private readonly database: Database,
    table: string,
    columns: readonly TableColumn[],
    about: Readonly<Record<string, string>>,
  ) {
    // the file replaces another only when it is complete, so a journal would protect nothing
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN')
    database.exec('CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)')
    const insertAbout = database.prepare('INSERT INTO about VALUES (?, ?)')
    for (const [name, value] of Object.entries(about)) insertAbout.run(name, value)
    const definitions = columns.map(({ name, kind }, i) => `${named(name)} ${TYPES[kind]}${i === 0 ? ' PRIMARY KEY' : ''}`)
    database.exec(`CREATE TABLE ${named(table)} (${definitions.join()})`)
    this.#insert = database.prepare(`INSERT INTO ${named(table)} VALUES (${columns.map(() => '?').join()})`)
  }

  row(values: readonly Value[]): void {
    this.#insert.run(
      ...values.map(value => {
        if (typeof value === 'boolean') return Number(value)
        return typeof value === 'object' && value !== null ? value.join(' ') : value
      }),
    )
  }

  async flush(): Promise<void> {}

  async end(): Promise<void> {
    this.database.exec('COMMIT')
    this.database.close()
  }
}
