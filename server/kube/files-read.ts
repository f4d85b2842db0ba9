/** Files that were read, and whether one of them changed since. */
import { readFileSync, statSync } from 'node:fs'

export class FilesRead {
  readonly #stamps = new Map<string, string>()

  read(path: string): string {
    this.note(path)
    return readFileSync(path, 'utf8')
  }

  /** Remembers a file that others read. Call it before that, so that no change in between is missed. */
  note(path: string): void {
    this.#stamps.set(path, stampOf(path))
  }

  changed(): boolean {
    return [...this.#stamps].some(([path, stamp]) => stampOf(path) !== stamp)
  }
}

/** A mounted Secret changes by a link to another folder, so the file's own number counts too. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : 'none'
}
