/**
 * Records in a file which keys are being reconciled, so that the next start can attribute a crash to them. Each
 * reconcile writes once or twice to the page cache. The record survives a crash of the process, but is not flushed to disk.
 * Any crash makes suspects; only one with evidence that the process itself broke (`crash-watch.ts`) makes a culprit.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ObjectKey } from '@/lib/kube/object'
import { replaceFileSync } from '@/server/files/replace-file'
import { CrashWatch, takeFatalReport } from './crash-watch'

export interface PassRecord {
  /** Records the key; the returned function removes the record. `alone`: no other suspect is being reconciled. */
  begin(controller: string, key: ObjectKey, options: { alone: boolean }): () => void
  /** Returns how many crashes are attributed to the key. One: it is one of several suspects. Two: it is the cause. */
  crashesOf(controller: string, key: ObjectKey): number
  /** Clears a suspect that was reconciled without a crash. */
  clear(controller: string, key: ObjectKey): void
  /** Allows another try. A further crash with evidence quarantines the key at once. */
  allowRetry(controller: string, key: ObjectKey): void
  /** What begins or ends afterwards is not recorded: the number of a closed file may be that of another one. */
  close(): void
}

const SLOT_BYTES = 1024
const IDLE = 0x20
/** Maximum number of records; reconciles beyond it, which do not occur in practice, are not recorded. */
const MAX_SLOTS = 4096
const MAX_CRASH_ENTRIES = 500
/** Marks that the process breaks: the first two bytes of the file, whose first slot holds no record. */
const EXCEPTION_AT = 0
const ENDANGERED_AT = 1
const MARKED = 1

export interface PassRecordOptions {
  /** Ignore earlier crashes. */
  forget?: boolean
  /** Memory that the kernel grants to the process, in bytes. Default: that of its control group. */
  memoryLimit?: number
}

/** Opens `reconciling` and `suspects.json` in an existing directory. */
export function openPassRecord(folder: string, options: PassRecordOptions = {}): PassRecord {
  const { forget = false, memoryLimit = process.constrainedMemory() } = options
  const crashes = new CrashFile(join(folder, 'suspects.json'), forget)
  const path = join(folder, 'reconciling')
  const { slots, isMarked } = readRecord(path)
  const broke = takeFatalReport(folder) || isMarked
  if (!forget) for (const { id, alone } of slots) crashes.countCrash(id, alone && broke)
  crashes.save()
  const file = new RecordFile(path)
  const watch = new CrashWatch({
    folder,
    markException: (ends) => file.write(ends ? MARKED_BYTE : IDLE_BYTE, EXCEPTION_AT),
    marking: { path, mark: { at: ENDANGERED_AT, set: MARKED, unset: IDLE } },
    memoryLimit,
  })
  return new SlotFile(file, crashes, watch)
}

class SlotFile implements PassRecord {
  readonly #free: number[] = []
  #slots = 1
  /** Slots of keys that ended in this turn of the event loop: nearly always the next key takes them over at once. */
  readonly #ended = new Set<number>()

  constructor(
    private readonly file: RecordFile,
    private readonly crashes: CrashFile,
    private readonly watch: CrashWatch,
  ) {}

  begin(controller: string, key: ObjectKey, { alone }: { alone: boolean }): () => void {
    const slot = this.#free.pop() ?? this.#slots++
    const text = `${alone ? '!' : '?'}${idOf(controller, key)}\n`
    if (slot >= MAX_SLOTS || Buffer.byteLength(text) > SLOT_BYTES || this.file.isClosed)
      return () => void this.#free.push(slot)
    this.#ended.delete(slot)
    this.file.write(text, slot * SLOT_BYTES)
    const endWatch = alone ? this.watch.begin() : undefined
    return () => {
      endWatch?.()
      // What is recorded as alone may be called the cause of a crash, so its record ends with it.
      if (alone) this.#clear(slot)
      else this.#clearLater(slot)
      this.#free.push(slot)
    }
  }

  #clear(slot: number): void {
    this.file.write(IDLE_BYTE, slot * SLOT_BYTES)
  }

  #clearLater(slot: number): void {
    if (this.#ended.size === 0) setImmediate(() => this.#clearEnded())
    this.#ended.add(slot)
  }

  #clearEnded(): void {
    for (const slot of this.#ended) this.#clear(slot)
    this.#ended.clear()
  }

  crashesOf(controller: string, key: ObjectKey): number {
    return this.crashes.crashes(idOf(controller, key))
  }

  clear(controller: string, key: ObjectKey): void {
    this.crashes.set(idOf(controller, key), 0)
  }

  allowRetry(controller: string, key: ObjectKey): void {
    this.crashes.set(idOf(controller, key), 1)
  }

  close(): void {
    this.watch.stop()
    this.#clearEnded()
    this.file.close()
  }
}

/** A file that takes no byte once it is closed. */
class RecordFile {
  readonly #file: number
  isClosed = false

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  write(text: string, at: number): void {
    if (!this.isClosed) writeSync(this.#file, text, at, 'utf8')
  }

  close(): void {
    this.isClosed = true
    closeSync(this.#file)
  }
}

const IDLE_BYTE = String.fromCharCode(IDLE)
const MARKED_BYTE = String.fromCharCode(MARKED)
const idOf = (controller: string, key: ObjectKey): string => `${controller}:${key}`

interface Slot {
  id: string
  alone: boolean
}

/** Returns the keys that were being reconciled when the process ended, none after an orderly stop, and the marks. */
function readRecord(path: string): { slots: Slot[]; isMarked: boolean } {
  const bytes = readIfThere(path) ?? Buffer.of()
  const slots: Slot[] = []
  for (let at = 0; at < bytes.length; at += SLOT_BYTES) {
    const text = bytes.subarray(at, at + SLOT_BYTES).toString('utf8')
    const end = text.indexOf('\n')
    if (end > 1 && (text[0] === '!' || text[0] === '?')) slots.push({ id: text.slice(1, end), alone: text[0] === '!' })
  }
  return { slots, isMarked: bytes[EXCEPTION_AT] === MARKED || bytes[ENDANGERED_AT] === MARKED }
}

/** Number of crashes attributed to each key; the first one makes it a suspect. */
class CrashFile {
  readonly #crashes: Map<string, number>

  constructor(
    private readonly path: string,
    forget: boolean,
  ) {
    this.#crashes = new Map(forget ? [] : readCrashes(path))
  }

  crashes(id: string): number {
    return this.#crashes.get(id) ?? 0
  }

  /** `isCulprit`: the crash is its work, if it was a suspect before. */
  countCrash(id: string, isCulprit: boolean): void {
    const before = this.crashes(id)
    if (before > 0 || this.#crashes.size < MAX_CRASH_ENTRIES)
      this.#crashes.set(id, isCulprit ? before + 1 : Math.max(1, before))
  }

  set(id: string, crashes: number): void {
    if (this.crashes(id) === crashes) return
    if (crashes === 0) this.#crashes.delete(id)
    else this.#crashes.set(id, crashes)
    this.save()
  }

  save(): void {
    replaceFileSync(this.path, JSON.stringify(Object.fromEntries(this.#crashes), undefined, 1))
  }
}

/** A damaged file counts as missing, because its content only adds caution. */
function readCrashes(path: string): [string, number][] {
  try {
    const parsed: unknown = JSON.parse(readIfThere(path)?.toString('utf8') ?? '{}')
    if (typeof parsed !== 'object' || parsed === null) return []
    return Object.entries(parsed).filter((entry): entry is [string, number] => Number.isInteger(entry[1]))
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
