/**
 * The durable driver: one row per revision in a node:sqlite file, WAL with synchronous FULL. The current state is what
 * remains when the rows are read in order; an event that leaves the window takes the row it replaced with it.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { StoreCorrupt, StoreLocked, StoreTooNew } from './errors'
import type { Log, LogBatch, LogContent, LogRecord } from './log'
import { formatAfter, migrate, migrations } from './migrations'
import type { Store } from './store'
import { openStore, type StoreOptions } from './versioned-store'

/** Application ID in the file's header ("EVKL"). */
const APPLICATION_ID = 0x45564b4c
/** The format of the tables below. */
const FORMAT = formatAfter(migrations)

/** `realm` is the keyspace: files of earlier versions name the column so. */
const SCHEMA = `
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    realm TEXT NOT NULL,
    resource TEXT NOT NULL,
    key TEXT NOT NULL,
    json TEXT,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};
`

/**
 * Opens or creates the file for exclusive use. Throws StoreLocked, StoreCorrupt or StoreTooNew; the file is then as it
 * was. The lock is the operating system's and ends with the process that holds it, however that ends.
 */
export function openSqliteStore(file: string, options: StoreOptions = {}): Store {
  return openStore(openLog(file), options)
}

function openLog(file: string): Log {
  refuseForeignHeader(file)
  const found = readUntouched(file)
  const database = openExclusively(file)
  try {
    prepareSchema(database, file)
    writeFileSync(holderFile(file), `${process.pid}\n`)
    return sqliteLog(database, file, found)
  } catch (error) {
    database.close()
    throw translate(error, file)
  }
}

/**
 * The content of a file, read-only: opening a file for writing changes it, and closing it checkpoints the log.
 * Undefined for a new file and for one of an older format.
 */
function readUntouched(file: string): LogContent | undefined {
  if (!existsSync(file) || statSync(file).size === 0) return undefined
  const database = openForReading(file)
  try {
    return formatOf(database, file) === FORMAT ? load(database, file) : undefined
  } catch (error) {
    throw translate(error, file)
  } finally {
    database.close()
  }
}

function openForReading(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: 0 })
  } catch (error) {
    throw translate(error, file)
  }
}

/** Looks at the first bytes before SQLite may touch anything. An empty or absent file is a new one. */
function refuseForeignHeader(file: string): void {
  if (!existsSync(file) || statSync(file).size === 0) return
  const header = readHeader(file)
  if (header.length < 100 || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw new StoreCorrupt(file, 'it is no SQLite database')
  }
  const applicationId = header.readUInt32BE(68)
  const format = header.readUInt32BE(60)
  if (applicationId !== APPLICATION_ID && applicationId !== 0) {
    throw new StoreCorrupt(file, 'it belongs to another program')
  }
  if (format > FORMAT) throw new StoreTooNew(file, format, FORMAT)
}

function readHeader(file: string): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const header = Buffer.alloc(100)
    return header.subarray(0, readSync(descriptor, header))
  } finally {
    closeSync(descriptor)
  }
}

/** 32 MiB of new pages: moving them into the file seldom, and many at once, takes a third off the cost of a commit. */
const CHECKPOINT_PAGES = 4000

function openExclusively(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;',
    )
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    database.exec('BEGIN EXCLUSIVE; COMMIT;')
    return database
  } catch (error) {
    database.close()
    throw translate(error, file)
  }
}

function prepareSchema(database: DatabaseSync, file: string): void {
  const format = formatOf(database, file)
  if (format === 0) database.exec(`BEGIN; ${SCHEMA} COMMIT; PRAGMA wal_checkpoint(TRUNCATE);`)
  else if (format < FORMAT) migrate(database, format, migrations)
}

/** The format of a file of ours, 0 for an empty one. Throws for any other. */
function formatOf(database: DatabaseSync, file: string): number {
  const format = numberOf(database, 'PRAGMA user_version')
  if (format > FORMAT) throw new StoreTooNew(file, format, FORMAT)
  if (format === 0 && numberOf(database, 'SELECT count(*) FROM sqlite_schema') > 0) {
    throw new StoreCorrupt(file, 'it belongs to another program')
  }
  return format
}

function sqliteLog(database: DatabaseSync, file: string, found: LogContent | undefined): Log {
  const insert = database.prepare(
    'INSERT INTO log (revision, realm, resource, key, json, checksum) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const forget = database.prepare('DELETE FROM log WHERE revision = ?')
  const mark = database.prepare(
    'INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const statements = { insert, forget, mark }
  return {
    load: () => (found && isCurrent(database, found) ? found : loadOrClose(database, file)),
    commit: (batch) => transaction(database, () => append(statements, batch)),
    close: () => database.close(),
  }
}

function append(statements: Record<'insert' | 'forget' | 'mark', StatementSync>, batch: LogBatch): void {
  for (const { revision, keyspace, resource, key, json } of batch.records) {
    statements.insert.run(revision, keyspace, resource, key, json, checksum(key, json))
  }
  for (const revision of batch.forget) statements.forget.run(revision)
  if (batch.forget.length > 0) statements.mark.run('compacted', batch.compacted)
  statements.mark.run('revision', batch.records.at(-1)?.revision ?? 0)
}

/** Atomic. A failed ROLLBACK is ignored in favour of the original error. */
function transaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function load(database: DatabaseSync, file: string): LogContent {
  const records: LogRecord[] = []
  for (const row of database.prepare('SELECT * FROM log ORDER BY revision').iterate()) records.push(readRow(row, file))
  return { records, ...marksOf(database) }
}

function loadOrClose(database: DatabaseSync, file: string): LogContent {
  try {
    return load(database, file)
  } catch (error) {
    database.close()
    throw translate(error, file)
  }
}

/** Reports whether the file is unchanged since it was read: every commit increases the revision. */
function isCurrent(database: DatabaseSync, found: LogContent): boolean {
  return marksOf(database).revision === found.revision
}

function marksOf(database: DatabaseSync): Pick<LogContent, 'compacted' | 'revision'> {
  const rows = database.prepare('SELECT name, value FROM mark').all()
  const marks = new Map(rows.map((row) => [row.name as string, row.value as number]))
  return { compacted: marks.get('compacted') ?? 0, revision: marks.get('revision') ?? 0 }
}

function readRow(row: Record<string, unknown>, file: string): LogRecord {
  const record = row as unknown as Omit<LogRecord, 'keyspace'> & { realm: string; checksum: number }
  if (record.checksum !== checksum(record.key, record.json)) {
    throw new StoreCorrupt(file, `revision ${record.revision} is damaged`)
  }
  const { revision, realm: keyspace, resource, key, json } = record
  return { revision, keyspace, resource, key, json }
}

function checksum(key: string, json: string | null): number {
  return crc32(json ?? '', crc32(key))
}

function numberOf(database: DatabaseSync, query: string): number {
  return Object.values(database.prepare(query).get() ?? {})[0] as number
}

function holderFile(file: string): string {
  return `${file}.holder`
}

/** Translates SQLite's errors about a file. */
function translate(error: unknown, file: string): unknown {
  const code = (error as { errcode?: number }).errcode
  if (code === undefined) return error
  const primary = code & 0xff
  if (primary === SQLITE_BUSY || primary === SQLITE_LOCKED) return new StoreLocked(file, readHolder(file))
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB || primary === SQLITE_READONLY)
    return new StoreCorrupt(file, (error as Error).message)
  return error
}

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
/** Reading would have to finish what another program began to write. */
const SQLITE_READONLY = 8
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

function readHolder(file: string): number | undefined {
  const path = holderFile(file)
  const pid = existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : Number.NaN
  return Number.isNaN(pid) ? undefined : pid
}
