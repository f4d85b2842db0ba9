/** Where the lines of the audit log go: rotated files, the standard output, or nowhere. */
import { basename, dirname, extname, join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Clock } from '@/lib/std/clock'
import { claimDirectory } from '../recorder/claim-directory'
import { openJournalFiles } from '../recorder/journal-files'
import { openUnfinishedActions, type OpenActions } from './open-actions'

export interface AuditSink {
  /** Takes a line, without its end. */
  append(line: string): void
  /** What was written before, oldest first. */
  read(): AsyncIterable<string>
  /** What is being carried out. */
  readonly open: OpenActions
  /** Writes what waits. */
  close(): Promise<void>
}

export interface AuditSinkOptions {
  /** A file, `-` for the standard output, `none`. */
  target: string
  clock: Clock
  onError: (error: unknown) => void
  /** What `-` means. Default: the standard output of the process. */
  output?: Writable
}

/** Kept for so long, in so many bytes. */
const RETENTION = { ageMs: 90 * 86_400_000, bytes: 256 * 2 ** 20 }

/**
 * Opens the sink. A file `audit.jsonl` becomes `audit-<start>.jsonl` beside it, for it is rotated. Rejects when it
 * cannot be used.
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
  // Without a listener it would end the process.
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

/** Keeps nothing. */
export const noSink = (): AuditSink => ({
  append: () => undefined,
  async *read() {
    yield* []
  },
  open: { begun: () => Promise.resolve(), ended: () => undefined, left: () => [] },
  close: () => Promise.resolve(),
})
