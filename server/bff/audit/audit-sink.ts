/** Destinations of the audit log: rotated files, the standard output, or none. */
import { basename, dirname, extname, join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Clock } from '@/lib/std/clock'
import { claimDirectory } from '../recorder/claim-directory'
import { openJournalFiles } from '../recorder/journal-files'
import { openUnfinishedActions, type OpenActions } from './open-actions'

export interface AuditSink {
  /** Writes a line, given without its line end. */
  append(line: string): void
  /** Reads the earlier lines, oldest first. */
  read(): AsyncIterable<string>
  /** The actions in progress. */
  readonly open: OpenActions
  /** Flushes pending lines and closes. */
  close(): Promise<void>
}

export interface AuditSinkOptions {
  /** A file name, `-` for the standard output, or `none`. */
  target: string
  clock: Clock
  onError: (error: unknown) => void
  /** The stream for `-`. Default: the standard output of the process. */
  output?: Writable
}

/** Maximum age and size of the kept files. */
const RETENTION = { ageMs: 90 * 86_400_000, bytes: 256 * 2 ** 20 }

/**
 * Opens the sink. A file `audit.jsonl` becomes `audit-<start>.jsonl` in the same directory, because it is rotated.
 * Rejects when the target is unusable.
 */
export async function openAuditSink(options: AuditSinkOptions): Promise<AuditSink> {
  const { target, clock, onError, output = process.stdout } = options
  if (target === 'none') return noSink()
  if (target === '-') return outputSink(output, onError)
  const claimed = await claimDirectory(dirname(target), 'audit')
  const name = basename(target, extname(target))
  const files = await openJournalFiles({ directory: claimed.path, name, clock, retention: RETENTION, onError })
  const open = await openUnfinishedActions({ path: join(claimed.path, `.${name}.open`), clock, onError })
  const close = async (): Promise<void> => {
    await files.close()
    claimed.release()
  }
  return { append: (line) => files.append(line), read: () => files.read(), open, close }
}

/** When the reader of the output is gone, each line reports an error. */
function outputSink(output: Writable, onError: (error: unknown) => void): AuditSink {
  // Without a listener the error would end the process.
  output.on('error', () => undefined)
  const report = (error: unknown): void => {
    if (error) onError(error)
  }
  return {
    ...noSink(),
    append: (line) => void output.write(`${line}\n`, report),
    close: () =>
      new Promise((resolve) => {
        output.write('', () => resolve())
      }),
  }
}

/** Returns a sink that discards every line. */
export const noSink = (): AuditSink => ({
  append: () => undefined,
  async *read() {
    yield* []
  },
  open: { begun: () => Promise.resolve(), ended: () => undefined, left: () => [] },
  close: () => Promise.resolve(),
})
