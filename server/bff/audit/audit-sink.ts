/** Where the lines of the audit log go: rotated files, the standard output, or nowhere. */
import { basename, dirname, extname } from 'node:path'
import type { Clock } from '@/lib/std/clock'
import { claimDirectory } from '../recorder/claim-directory'
import { openJournalFiles } from '../recorder/journal-files'

export interface AuditSink {
  /** Takes a line, without its end. */
  append(line: string): void
  /** What was written before, oldest first. */
  read(): AsyncIterable<string>
  /** Writes what waits. */
  close(): Promise<void>
}

export interface AuditSinkOptions {
  /** A file, `-` for the standard output, `none`. */
  target: string
  clock: Clock
  onError: (error: unknown) => void
}

/** Kept for so long, in so many bytes. */
const RETENTION = { ageMs: 90 * 86_400_000, bytes: 256 * 2 ** 20 }

/**
 * Opens the sink. A file `audit.jsonl` becomes `audit-<start>.jsonl` beside it, for it is rotated. Rejects when it
 * cannot be used.
 */
export async function openAuditSink({ target, clock, onError }: AuditSinkOptions): Promise<AuditSink> {
  if (target === 'none') return noSink()
  if (target === '-') return { ...noSink(), append: (line) => void process.stdout.write(`${line}\n`) }
  const claimed = await claimDirectory(dirname(target), 'audit')
  const files = await openJournalFiles({
    directory: claimed.path, name: basename(target, extname(target)), clock, retention: RETENTION, onError,
  })
  const close = async (): Promise<void> => {
    await files.close()
    claimed.release()
  }
  return { append: (line) => files.append(line), read: () => files.read(), close }
}

/** Keeps nothing. */
export const noSink = (): AuditSink => ({
  append: () => undefined, async *read() { yield* [] }, close: () => Promise.resolve(),
})
