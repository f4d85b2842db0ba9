/**
 * Lines in append-only files. A full file is followed by a new one; the oldest files are deleted when they are too old
 * or all files together are too large. Writes are batched for a moment; a power failure loses that moment.
 */
import { createReadStream } from 'node:fs'
import { appendFile, mkdir, open, readdir, rm, stat, truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'

export interface JournalRetention {
  /** Files whose last line is older are deleted. */
  ageMs: number
  /** Limit of all files together; the oldest are deleted first. */
  bytes: number
  /** A file is not continued beyond this size, nor beyond a seventh of the age. */
  fileBytes: number
}

export const DEFAULT_RETENTION: JournalRetention = {
  ageMs: 7 * 86_400_000,
  bytes: 64 * 2 ** 20,
  fileBytes: 4 * 2 ** 20,
}

/** Storage of the lines. */
export interface JournalStorage {
  /** Appends a line, given without its line end; it is written soon. */
  append(line: string): void
  /**
   * Reads the lines from the oldest to the newest, including those just appended. `since`: files that ended earlier may
   * be skipped.
   */
  read(since?: EpochMs): AsyncIterable<string>
  /** Returns when the oldest stored line was written; undefined without any. */
  begunAt(): EpochMs | undefined
  /** When the former process was last alive; undefined for a new journal. */
  readonly lastAlive: EpochMs | undefined
  /** Flushes pending lines and closes. */
  close(): Promise<void>
}

export interface JournalFilesOptions {
  directory: string
  /** Prefix of the file names. Default: `journal`. */
  name?: string
  clock: Clock
  retention?: Partial<JournalRetention>
  /** Called when a write failed; it is retried with the next lines. */
  onError: (error: unknown) => void
}

const NEWLINE = 10
const FLUSH_MS = 200
const ALIVE_MS = 5_000
/** A file covers at most this share of the retention time, so that old entries are deleted in small steps. */
const FILES_PER_AGE = 7
/** Limit of pending lines while the disk fails; beyond it the oldest are dropped and reported to `onError`. */
const MAX_WAITING = 100_000

interface JournalFile {
  /** Part of its name; unique, and in the order of the files. */
  startedAt: EpochMs
  bytes: number
  /** Lower bound of the time of its last line. */
  lastLine: EpochMs
}

/** Opens or creates the journal of a directory. Rejects when the directory is unusable. */
export async function openJournalFiles(options: JournalFilesOptions): Promise<JournalStorage> {
  await mkdir(options.directory, { recursive: true })
  const files = await listFiles(options)
  const last = files.at(-1)
  if (last) await endLastLine(pathOf(options, last.startedAt), last)
  return new JournalFiles(options, files)
}

class JournalFiles implements JournalStorage {
  readonly lastAlive: EpochMs | undefined
  readonly #options: JournalFilesOptions
  readonly #retention: JournalRetention
  readonly #files: JournalFile[]
  #waiting: string[] = []
  #writing: Promise<void> = Promise.resolve()
  /** True when the last write failed, perhaps in the middle, as on a full disk. */
  #isTorn = false
  #nextFlush: Stop | undefined
  #nextAlive: Stop

  constructor(options: JournalFilesOptions, files: JournalFile[]) {
    this.#options = options
    this.#retention = { ...DEFAULT_RETENTION, ...options.retention }
    this.#files = files
    this.lastAlive = files.at(-1)?.lastLine
    this.#nextAlive = options.clock.after(ALIVE_MS, () => this.#showAlive())
  }

  begunAt(): EpochMs | undefined {
    return this.#files[0]?.startedAt
  }

  append(line: string): void {
    this.#waiting.push(line)
    this.#nextFlush ??= this.#options.clock.after(FLUSH_MS, () => this.#flush())
  }

  async *read(since = -Infinity): AsyncIterable<string> {
    await this.#flush()
    for (const { startedAt, lastLine } of this.#files.slice()) {
      if (lastLine >= since) yield* linesOf(pathOf(this.#options, startedAt))
    }
  }

  async close(): Promise<void> {
    this.#nextAlive()
    await this.#flush()
  }

  /** Writes one batch at a time, in order. */
  #flush(): Promise<void> {
    this.#nextFlush?.()
    this.#nextFlush = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const lines = this.#waiting
    if (lines.length === 0) return
    this.#waiting = []
    try {
      await this.#writeLines(lines)
    } catch (error) {
      this.#options.onError(error)
      this.#isTorn = true
      this.#waiting = [...lines, ...this.#waiting].slice(-MAX_WAITING)
      this.#nextFlush ??= this.#options.clock.after(ALIVE_MS, () => this.#flush())
    }
  }

  async #writeLines(lines: readonly string[]): Promise<void> {
    const text = `${lines.join('\n')}\n`
    const file = this.#fileFor()
    const path = pathOf(this.#options, file.startedAt)
    // A partial write would corrupt the first line and duplicate the others.
    if (this.#isTorn) await truncate(path, file.bytes).catch(unlessMissing)
    await appendFile(path, text)
    this.#isTorn = false
    file.bytes += Buffer.byteLength(text)
    file.lastLine = this.#options.clock.now()
    await this.#forget()
  }

  #fileFor(): JournalFile {
    const last = this.#files.at(-1)
    const now = Math.floor(this.#options.clock.now())
    const { ageMs, fileBytes } = this.#retention
    if (last && last.bytes < fileBytes && last.startedAt > now - ageMs / FILES_PER_AGE) return last
    const file = { startedAt: Math.max(now, (last?.startedAt ?? 0) + 1), bytes: 0, lastLine: now }
    this.#files.push(file)
    return file
  }

  async #forget(): Promise<void> {
    const oldest = this.#options.clock.now() - this.#retention.ageMs
    const size = () => this.#files.reduce((sum, { bytes }) => sum + bytes, 0)
    while (this.#files.length > 1 && (this.#files[0]!.lastLine < oldest || size() > this.#retention.bytes)) {
      await rm(pathOf(this.#options, this.#files[0]!.startedAt), { force: true })
      this.#files.shift()
    }
  }

  /** The modification time of the newest file shows when the process was last alive, even without new lines. */
  #showAlive(): void {
    this.#nextAlive = this.#options.clock.after(ALIVE_MS, () => this.#showAlive())
    this.#writing = this.#writing.then(() => this.#touch())
  }

  async #touch(): Promise<void> {
    const last = this.#files.at(-1)
    if (!last) return
    const now = this.#options.clock.now()
    try {
      await utimes(pathOf(this.#options, last.startedAt), now / 1000, now / 1000)
    } catch (error) {
      this.#options.onError(error)
    }
  }
}

type Place = Pick<JournalFilesOptions, 'directory' | 'name'>

async function listFiles(place: Place): Promise<JournalFile[]> {
  const names = await readdir(place.directory)
  const starts = names
    .flatMap((name) => Number(/-(\d{13})\.jsonl$/.exec(name)?.[1] ?? 0) || [])
    .filter((start) => names.includes(fileName(place, start)))
  return Promise.all(
    [...new Set(starts)]
      .sort((a, b) => a - b)
      .map(async (startedAt) => {
        const { size, mtimeMs } = await stat(pathOf(place, startedAt))
        return { startedAt, bytes: size, lastLine: mtimeMs }
      }),
  )
}

/** A line that a crash truncated must not corrupt the next one: it is terminated here, and readers skip it. */
async function endLastLine(path: string, file: JournalFile): Promise<void> {
  if (file.bytes === 0) return
  const handle = await open(path, 'r+')
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, file.bytes - 1)
    if (buffer[0] === NEWLINE) return
    await handle.write('\n', file.bytes)
    file.bytes += 1
  } finally {
    await handle.close()
  }
}

/** A file that was deleted meanwhile has no lines. */
async function* linesOf(path: string): AsyncIterable<string> {
  let rest = ''
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    unlessMissing(error)
  }
}

function unlessMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

const fileName = ({ name = 'journal' }: Place, startedAt: EpochMs): string =>
  `${name}-${String(startedAt).padStart(13, '0')}.jsonl`
const pathOf = (place: Place, startedAt: EpochMs): string => join(place.directory, fileName(place, startedAt))
