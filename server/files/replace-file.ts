/** Files that are replaced as a whole: a reader, and the start after a crash, finds the old content or the new one. */
import { renameSync, writeFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'

/** Readable by its owner only. */
const MODE = 0o600

/** Resolves when the new content is on disk. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', MODE)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/** Survives the end of the process, not that of the machine: it is not flushed to disk. */
export function replaceFileSync(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: MODE })
  renameSync(`${path}.new`, path)
}
