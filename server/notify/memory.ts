/** Sent and waiting notices that survive a restart: in a file beside the journal, or in the shared store. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Notice, Tracked } from '@/lib/view/notices/notices'
import type { NoticeOutcome } from '@/lib/view/schemas/notices'
import { replaceFile } from '@/server/files/replace-file'

/** A notice that waits for a receiver. */
export interface Waiting {
  notice: Notice
  attempts: number
  /** When it was first tried; absent before. */
  firstAt?: number
}

export interface NotifierState {
  version: 1
  tracked: Tracked
  /** By receiver, in order. */
  waiting: Readonly<Record<string, readonly Waiting[]>>
  /** By receiver. */
  last: Readonly<Record<string, NoticeOutcome>>
}

export interface NotifierMemory {
  /** Undefined if nothing readable is stored. */
  load(): Promise<NotifierState | undefined>
  save(state: NotifierState): Promise<void>
}

/** The part of the shared store that is used here. */
interface TextStore {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<void>
}

const FILE = 'notices.json'
const KEY = 'notices'
/** An incident that lasts longer without any change would be told twice. */
const KEPT_MS = 90 * 86_400_000

/** A file that is replaced atomically. Only the leader writes it. */
export function memoryInFile(directory: string): NotifierMemory {
  const path = join(directory, FILE)
  return {
    load: async () => parseState(await readFile(path, 'utf8').catch(absent)),
    save: (state) => replaceFile(path, JSON.stringify(state)),
  }
}

/** Shared by all instances, so that the next leader continues where the last one ended. */
export const memoryInStore = (store: TextStore): NotifierMemory => ({
  load: async () => parseState(await store.get(KEY)),
  save: (state) => store.set(KEY, JSON.stringify(state), KEPT_MS),
})

/** Ends with the process. */
export function memoryOfProcess(): NotifierMemory {
  let kept: string | undefined
  return {
    load: async () => parseState(kept),
    save: async (state) => {
      kept = JSON.stringify(state)
    },
  }
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

/** A state of another version or a damaged one counts as missing: running incidents are then reported again. */
function parseState(text: string | undefined): NotifierState | undefined {
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text) as Partial<NotifierState> | null
    const isState = value?.version === 1 && isRecord(value.tracked) && isRecord(value.waiting) && isRecord(value.last)
    return isState ? (value as NotifierState) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
