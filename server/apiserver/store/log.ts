/** The durable side of a store: an append-only log of writes, one row per revision. */

/** One write. `json` is null for a deletion. */
export interface LogRecord {
  revision: number
  keyspace: string
  resource: string
  key: string
  json: string | null
}

/** The writes of one group commit, which is atomic. */
export interface LogBatch {
  records: readonly LogRecord[]
  /** Revisions that are neither current nor in the window. */
  forget: readonly number[]
  /** The newest revision outside the window. */
  compacted: number
}

export interface LogContent {
  records: Iterable<LogRecord>
  compacted: number
  /** The newest revision ever given out. */
  revision: number
}

/** A driver: what it held when it was opened, and how to append. */
export interface Log {
  content: LogContent
  /**
   * Resolves once the batch is durable, and rejects when it is not; undefined from a log that is as durable at once as it
   * will ever be. Called again only after the batch before has settled.
   */
  commit(batch: LogBatch): Promise<void> | undefined
  close(): Promise<void>
}
