/** The durable driver: reads the file, then leaves writing it to a thread of its own. */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreCorrupt, StoreLocked, StoreTooNew } from './errors'
import type { Log, LogContent, LogRecord } from './log'
import { APPLICATION_ID, checksum, FORMAT, formatNumber, marksOf, numberOf } from './sqlite-file'
import { SqliteThread } from './sqlite-thread'
import type { SqliteFailure, WorkerAnswer } from './sqlite-worker'
import type { Store } from './store'
import { openStore, type StoreOptions } from './versioned-store'

/**
 * Opens or creates the file for exclusive use. Rejects with StoreLocked, StoreCorrupt or StoreTooNew; the file is then as
 * it was. The lock is the operating system's and ends with the process that holds it, however that ends.
 */
export async function openSqliteStore(file: string, options: StoreOptions = {}): Promise<Store> {
  const log = await openLog(file)
  try {
    writeFileSync(holderFile(file), `${process.pid}\n`)
  } catch (error) {
    await log.close()
    throw error
  }
  return openStore(log, options)
}

/**
 * Reads first, since opening a file for writing changes it. A file of an older format, or written by another process since,
 * is read again.
 */
async function openLog(file: string): Promise<Log> {
  for (;;) {
    refuseForeignHeader(file)
    const content = readUntouched(file)
    const { thread, answer } = await SqliteThread.open({ file, revision: content?.revision })
    throwFailure(answer, file)
    if (answer === 'open' && content) return sqliteLog(thread, file, content)
  }
}

function sqliteLog(thread: SqliteThread, file: string, content: LogContent): Log {
  return {
    content,
    commit: async (batch) => throwFailure(await thread.commit(batch), file),
    close: () => thread.close(),
  }
}

/** The content of a file; undefined for one of an older format. */
function readUntouched(file: string): LogContent | undefined {
  if (isEmpty(file)) return { records: [], compacted: 0, revision: 0 }
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

function isEmpty(file: string): boolean {
  return !existsSync(file) || statSync(file).size === 0
}

/** Looks at the first bytes before SQLite may touch anything. An empty or absent file is a new one. */
function refuseForeignHeader(file: string): void {
  if (isEmpty(file)) return
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

/** The format of a file of ours, 0 for an empty one. Throws for any other. */
function formatOf(database: DatabaseSync, file: string): number {
  const format = formatNumber(database)
  if (format > FORMAT) throw new StoreTooNew(file, format, FORMAT)
  if (format === 0 && numberOf(database, 'SELECT count(*) FROM sqlite_schema') > 0) {
    throw new StoreCorrupt(file, 'it belongs to another program')
  }
  return format
}

function load(database: DatabaseSync, file: string): LogContent {
  const records: LogRecord[] = []
  for (const row of database.prepare('SELECT * FROM log ORDER BY revision').iterate()) records.push(readRow(row, file))
  return { records, ...marksOf(database) }
}

function readRow(row: Record<string, unknown>, file: string): LogRecord {
  const record = row as unknown as Omit<LogRecord, 'keyspace'> & { realm: string; checksum: number }
  if (record.checksum !== checksum(record.key, record.json)) {
    throw new StoreCorrupt(file, `revision ${record.revision} is damaged`)
  }
  const { revision, realm: keyspace, resource, key, json } = record
  return { revision, keyspace, resource, key, json }
}

function holderFile(file: string): string {
  return `${file}.holder`
}

/** Throws the failure that the thread answered, if it is one. */
function throwFailure(answer: WorkerAnswer, file: string): void {
  if (typeof answer === 'string') return
  throw translate(new WorkerFailure(answer.failed), file)
}

/** What SQLite threw in the thread. */
class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure'
  readonly errcode: number | undefined

  constructor({ message, errcode }: SqliteFailure) {
    super(message)
    this.errcode = errcode
  }
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
