/** A directory for files that only one process may write, though several were given the same one. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface ClaimedDirectory {
  path: string
  /** Others may have it from now on. Happens by itself when the process ends, however it ends. */
  release(): void
}

const SQLITE_BUSY = 5
/** Keeps a reference: the garbage collector would release a lock without one. */
const held = new Set<DatabaseSync>()
/** More instances than are ever run over one directory. */
const MOST = 64

/**
 * The directory itself, or `instance-2`, `instance-3`, … in it while those before are taken: an instance that starts
 * while its predecessor still stops gets one of its own, and the next one goes on where that one ended. The claim is a
 * lock of the operating system, and one for each purpose: files of another purpose may lie there, too. Rejects when the
 * directory cannot be used.
 */
export async function claimDirectory(directory: string, purpose: 'journal' | 'audit'): Promise<ClaimedDirectory> {
  for (let number = 1; number <= MOST; number += 1) {
    const path = number === 1 ? directory : join(directory, `instance-${number}`)
    await mkdir(path, { recursive: true, mode: 0o700 })
    const lock = tryLock(join(path, `.${purpose}.lock`))
    if (lock) return { path, release: () => release(lock) }
  }
  throw new Error(`${directory} is used by ${MOST} processes already; give this one a directory of its own`)
}

function tryLock(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    held.add(lock)
    return lock
  } catch (error) {
    lock.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined
    throw error
  }
}

function release(lock: DatabaseSync): void {
  if (held.delete(lock)) lock.close()
}
