/**
 * The thread that writes a store's file: a commit waits for the disk, and requests do not wait with it. Node runs it from
 * source, so its imports end in `.ts`.
 */
import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, workerData } from 'node:worker_threads'
import type { LogBatch } from './log'
import { appender, marksOf, openExclusively, prepareSchema } from './sqlite-file.ts'

export interface WorkerData {
  port: MessagePort
  file: string
  /** The revision of the content that the other side has read; undefined where it could read none. */
  revision: number | undefined
}

/** `changed`: the file is not the one that was read. It is closed again, as a file of the current format. */
export type WorkerAnswer = 'open' | 'changed' | 'committed' | 'closed' | { failed: SqliteFailure }

export interface SqliteFailure {
  message: string
  /** SQLite's extended result code; undefined for an error that is not SQLite's. */
  errcode: number | undefined
}

const { port, file, revision } = workerData as WorkerData

answer(() => {
  const database = openExclusively(file)
  prepareSchema(database)
  if (revision === undefined || marksOf(database).revision !== revision) {
    database.close()
    return 'changed'
  }
  serve(database)
  return 'open'
})

function serve(database: DatabaseSync): void {
  const commit = appender(database)
  port.on('message', (batch: LogBatch | 'close') => {
    answer(() => {
      if (batch === 'close') {
        database.close()
        return 'closed'
      }
      commit(batch)
      return 'committed'
    })
  })
}

function answer(work: () => WorkerAnswer): void {
  port.postMessage(attempt(work))
}

function attempt(work: () => WorkerAnswer): WorkerAnswer {
  try {
    return work()
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { failed: { message, errcode } }
  }
}
