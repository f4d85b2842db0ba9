/**
 * Actions in progress, on disk, so that the next process can record those that this process did not finish. Each action
 * gets a line before its first write to the API server; the file is rewritten when it has grown.
 */
import { appendFile, readFile } from 'node:fs/promises'
import type { Clock, EpochMs } from '@/lib/std/clock'
import { replaceFile } from '@/server/files/replace-file'

export interface OpenActions {
  /** Resolves when the line would survive the process. A failed write is reported to `onError` and not waited for. */
  begun(id: string, line: string): Promise<void>
  /** Notes that the last line of the action was passed to the file of the log. */
  ended(id: string): void
  /** Returns the actions that a former process began, including those that ended in its last moments. */
  left(): readonly string[]
}

export interface OpenActionsOptions {
  path: string
  clock: Clock
  onError: (error: unknown) => void
}

const MAX_BYTES = 2 ** 20
/** After this time the last line of an action is in the file of the log, if it can be written at all. */
const SETTLED_MS = 5000

interface OpenAction {
  line: string
  endedAt?: EpochMs
}

/** Loads what a former process left. Rejects when the file cannot be read. */
export async function openUnfinishedActions({ path, clock, onError }: OpenActionsOptions): Promise<OpenActions> {
  const left = await linesIn(path)
  const noted = new Map<string, OpenAction>()
  let [bytes, writing] = [left.reduce((sum, line) => sum + line.length, 0), Promise.resolve()]
  const needed = (): string[] => {
    for (const [id, { endedAt }] of noted) if ((endedAt ?? Infinity) < clock.now() - SETTLED_MS) noted.delete(id)
    return [...noted.values()].map(({ line }) => `${line}\n`)
  }
  const write = async (line: string): Promise<void> => {
    if (bytes < MAX_BYTES) {
      bytes += line.length
      // Starts with a line end, because a full disk may have kept only half of the previous line.
      return appendFile(path, `\n${line}\n`)
    }
    const text = needed().join('')
    await replaceFile(path, text)
    bytes = text.length
  }
  return {
    begun: (id, line) => {
      noted.set(id, { line })
      writing = writing.then(() => write(line)).catch(onError)
      return writing
    },
    ended: (id) => {
      const known = noted.get(id)
      if (known) known.endedAt = clock.now()
    },
    left: () => left,
  }
}

async function linesIn(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
