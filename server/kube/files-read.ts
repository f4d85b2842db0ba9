/** Reads files and detects whether any of them changed since. */
import { readFileSync, statSync } from 'node:fs'

export class FilesRead {
  readonly #stamps = new Map<string, string>()

  read(path: string): string {
    this.note(path)
    return readFileSync(path, 'utf8')
  }

  /**
   * Remembers the state of a file that other code reads. Call it before the read, so that no change in between is
   * missed.
   */
  note(path: string): void {
    this.#stamps.set(path, stampOf(path))
  }

  changed(): boolean {
    return [...this.#stamps].some(([path, stamp]) => stampOf(path) !== stamp)
  }
}

/** Kubernetes updates a mounted Secret by switching a symbolic link, so the inode counts too. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : 'none'
}
