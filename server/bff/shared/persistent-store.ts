/**
 * A store of which a part survives the process in a file: the values under Idempotency-Keys, so that an action that was
 * executed before `kill -9` is not executed again. Each change is appended as one line before it is answered.
 */
import { appendFile, readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Clock } from '@/lib/std/clock'
import { replaceFile } from '@/server/files/replace-file'
import { lifetime } from './lifetime'
import type { SharedStore } from './store'

export interface PersistentStoreOptions {
  store: SharedStore
  path: string
  /** Keys with this prefix survive; all others are lost with the process. */
  prefix: string
  clock: Pick<Clock, 'now'>
  /** Called when a line could not be written: its value is lost with the process. */
  onError: (error: unknown) => void
}

const lineSchema = z.tuple([z.string(), z.string().nullable(), z.number()])

/** The file is rewritten after this many appended bytes. */
const MAX_BYTES = 64_000_000

/** Loads the values of a former process into `store`. Rejects when the file exists and cannot be read or written. */
export async function openPersistentStore(options: PersistentStoreOptions): Promise<SharedStore> {
  const { store, path, prefix, clock, onError } = options
  const kept = await readKept(path, clock.now())
  for (const [key, { value, expiresAt }] of kept) await store.set(key, value, expiresAt - clock.now())
  let bytes = await rewrite(path, kept)
  let writing = Promise.resolve()
  const append = (key: string, value: string | null, ttlMs: number): Promise<void> => {
    if (!key.startsWith(prefix)) return Promise.resolve()
    const expiresAt = clock.now() + lifetime(ttlMs)
    if (value === null) kept.delete(key)
    else kept.set(key, { value, expiresAt })
    const text = lineOf(key, value, expiresAt)
    writing = writing
      .then(async () => {
        if (bytes > MAX_BYTES) {
          for (const [known, entry] of kept) if (entry.expiresAt <= clock.now()) kept.delete(known)
          bytes = await rewrite(path, kept)
          return
        }
        bytes += text.length
        await appendFile(path, text, { mode: 0o600 })
      })
      .catch(onError)
    return writing
  }
  return {
    get: (key) => store.get(key),
    set: async (key, value, ttlMs) => {
      await store.set(key, value, ttlMs)
      await append(key, value, ttlMs)
    },
    add: async (key, value, ttlMs) => {
      if (!(await store.add(key, value, ttlMs))) return false
      await append(key, value, ttlMs)
      return true
    },
    delete: async (key) => {
      await store.delete(key)
      await append(key, null, 0)
    },
    publish: (channel, message) => store.publish(channel, message),
    subscribe: (channel, handler) => store.subscribe(channel, handler),
    state: () => store.state(),
    onState: (handler) => store.onState(handler),
    close: async () => {
      await writing
      await store.close()
    },
  }
}

type Kept = Map<string, { value: string; expiresAt: number }>

const lineOf = (key: string, value: string | null, expiresAt: number): string =>
  `${JSON.stringify([key, value, expiresAt])}\n`

async function rewrite(path: string, kept: Kept): Promise<number> {
  const text = [...kept].map(([key, { value, expiresAt }]) => lineOf(key, value, expiresAt)).join('')
  await replaceFile(path, text)
  return text.length
}

/** The last line may be incomplete if the process ended during the write. */
async function readKept(path: string, now: number): Promise<Kept> {
  const kept: Kept = new Map()
  for (const text of await linesOf(path)) {
    const line = parsed(text)
    if (!line) continue
    const [key, value, expiresAt] = line
    if (value === null || expiresAt <= now) kept.delete(key)
    else kept.set(key, { value, expiresAt })
  }
  return kept
}

async function linesOf(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function parsed(text: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
