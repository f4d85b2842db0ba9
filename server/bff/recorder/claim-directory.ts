/** A directory that only one process may write to, although several processes were configured with the same one. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface ClaimedDirectory {
  path: string
  /** Releases the directory for other processes. The end of the process releases it in any case. */
  release(): void
}

const SQLITE_BUSY = 5
/** Keeps a reference: the garbage collector would release a lock without one. */
const held = new Set<DatabaseSync>()
/** More instances than ever run over one directory. */
const MOST = 64

/**
 * Claims the directory itself, or `instance-2`, `instance-3`, … in it while the earlier ones are taken: an instance
 * that starts while its predecessor stops gets its own, and the next one continues the free one. The claim is a lock of
 * the operating system, separate for each purpose, so files of another purpose may be in the same directory. Rejects
 * when the directory is unusable.
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
