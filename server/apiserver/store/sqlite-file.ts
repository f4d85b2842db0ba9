/**
 * The file of a durable store: one row per revision in SQLite, WAL with synchronous FULL. The current state is what remains
 * when the rows are read in order; an event that leaves the window takes the row it replaced with it. Node runs the worker
 * thread that writes it from source, so imports of values end in `.ts`.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { LogBatch } from './log'
import { formatAfter, migrate, migrations } from './migrations.ts'

/** Application ID in the file's header ("EVKL"). */
export const APPLICATION_ID = 0x45564b4c
/** The format of the tables below. */
export const FORMAT = formatAfter(migrations)

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

/** 32 MiB of new pages: moving them into the file seldom, and many at once, takes a third off the cost of a commit. */
const CHECKPOINT_PAGES = 4000

/** Opens or creates the file for exclusive use. Throws SQLite's error when another process holds it. */
export function openExclusively(file: string): DatabaseSync {
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
    throw error
  }
}

/** Creates the tables of an empty file, or migrates those of an older format. */
export function prepareSchema(database: DatabaseSync): void {
  const format = formatNumber(database)
  if (format === 0) database.exec(`BEGIN; ${SCHEMA} COMMIT; PRAGMA wal_checkpoint(TRUNCATE);`)
  else if (format < FORMAT) migrate(database, format, migrations)
}

/** Appends batches to an open file. Atomic; throws when a batch is not durable. */
export function appender(database: DatabaseSync): (batch: LogBatch) => void {
  const insert = database.prepare(
    'INSERT INTO log (revision, realm, resource, key, json, checksum) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const forget = database.prepare('DELETE FROM log WHERE revision = ?')
  const mark = database.prepare(
    'INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const statements = { insert, forget, mark }
  return (batch) => transaction(database, () => append(statements, batch))
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

/** The newest revision ever given out, and the newest one outside the window. */
export function marksOf(database: DatabaseSync): { compacted: number; revision: number } {
  const rows = database.prepare('SELECT name, value FROM mark').all()
  const marks = new Map(rows.map((row) => [row.name as string, row.value as number]))
  return { compacted: marks.get('compacted') ?? 0, revision: marks.get('revision') ?? 0 }
}

/** What each row of the log is checked against when it is read. */
export function checksum(key: string, json: string | null): number {
  return crc32(json ?? '', crc32(key))
}

/** The format that the header names; 0 for an empty file. */
export function formatNumber(database: DatabaseSync): number {
  return numberOf(database, 'PRAGMA user_version')
}

export function numberOf(database: DatabaseSync, query: string): number {
  return Object.values(database.prepare(query).get() ?? {})[0] as number
}
