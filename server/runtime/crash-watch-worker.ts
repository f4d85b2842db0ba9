/**
 * The thread that looks at the main thread from outside: one that is blocked cannot report it. Node runs it from source,
 * so it imports nothing of the project at run time.
 */
import { openSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

export interface CrashWatchData {
  /** The file of the record. It is opened here once more, so that no write can follow the close of the other side. */
  path: string
  /** Position and values of the mark. */
  mark: { at: number; set: number; unset: number }
  /** The first element changes, with a notification, whenever the main thread runs its timers. */
  beats: Int32Array
  /** Resident memory in bytes from which the kernel may kill the process. */
  memoryLimit: number
}

const LOOK_MS = 100
/** This many looks without a beat in between: the main thread is blocked. Counted, since a computer may be suspended. */
const BLOCKED_LOOKS = 20

const { path, mark, beats, memoryLimit } = workerData as CrashWatchData
const file = openSync(path, 'r+')
let marked: boolean | undefined
let quietLooks = 0
for (let beat = Atomics.load(beats, 0); ; beat = Atomics.load(beats, 0)) {
  quietLooks = Atomics.wait(beats, 0, beat, LOOK_MS) === 'timed-out' ? quietLooks + 1 : 0
  const endangered = quietLooks >= BLOCKED_LOOKS || process.memoryUsage.rss() >= memoryLimit
  if (endangered === marked) continue
  writeSync(file, Uint8Array.of(endangered ? mark.set : mark.unset), 0, 1, mark.at)
  marked = endangered
}
