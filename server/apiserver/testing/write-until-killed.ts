/** Writes to a store without end and prints every acknowledged revision; meant to be killed. Run by the crash test. */
import { at, sample } from './store-conformance'
import { openSqliteStore } from '../store/sqlite'

const WRITERS = 20

const store = await openSqliteStore(process.argv[2] as string)

async function write(writer: number): Promise<never> {
  const key = `n/w${writer}`
  for (;;) {
    const current = store.get(at(key))
    const value = Number((current?.value.data as { k?: string } | undefined)?.k ?? 0) + 1
    await store.put(at(key), sample(key, String(value)), current?.revision ?? 0)
    process.stdout.write(`${writer} ${value}\n`)
  }
}

void Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
