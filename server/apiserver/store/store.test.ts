import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { at, sample, storeConformance, type OpenStore } from './conformance'
import { StoreCorrupt, StoreLocked, StoreTooNew } from './errors'
import { createMemoryStore } from './memory'
import { openSqliteStore } from './sqlite'
import type { Store } from './store'

let directory = ''
let count = 0
const file = (): string => join(directory, `data-${count++}.db`)

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'store-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const drivers: [string, OpenStore][] = [
  ['memory', createMemoryStore],
  ['sqlite', (options) => openSqliteStore(file(), options)],
]

describe.each(drivers)('the %s store', (_name, open) => {
  test.each(storeConformance.map(([name, check]) => ({ name, check })))('$name', ({ check }) => check(open))

  test('agrees with a plain map under any sequence of writes', async () => {
    const operation = fc.record(
      { key: fc.constantFrom('n/a', 'n/b', 'm/a', 'm/c'), kind: fc.constantFrom('put', 'delete'), value: fc.nat(9) }
    )
    await fc.assert(fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
      const store = open()
      const snapshots = await replay(store, operations)
      for (const [revision, model] of snapshots) {
        const listed = store.list({ realm: '', resource: 'configmaps' }, { at: revision })
        expect(
          listed.map((entry) => [entry.location.key, (entry.value.data as { k: string }).k])
        ).toEqual([...model].toSorted())
      }
      await store.close()
    }), { seed: 42, numRuns: 25 })
  })
})

async function replay(
  store: Store, operations: { key: string; kind: string; value: number }[],
): Promise<Map<number, Map<string, string>>> {
  const model = new Map<string, string>()
  const snapshots = new Map<number, Map<string, string>>()
  for (const { key, kind, value } of operations) {
    const present = store.get(at(key))
    if (kind === 'delete' && !present) continue
    if (kind === 'put') {
      await store.put(at(key), sample(key, String(value)), present?.revision ?? 0)
      model.set(key, String(value))
    } else if (present) {
      await store.delete(at(key), present.value, present.revision)
      model.delete(key)
    }
    snapshots.set(store.revision, new Map(model))
  }
  return snapshots
}

describe('a sqlite file', () => {
  test('brings back objects, window and revision when it is opened again', async () => {
    const path = file()
    const first = openSqliteStore(path)
    const { revision } = await first.put(at('n/a'), sample('a', '1'), 0)
    await first.put(at('n/b'), sample('b', '1'), 0)
    await first.put(at('n/a'), sample('a', '2'), revision)
    await first.delete(at('n/b'), sample('b', '1'), revision + 1)
    await first.close()
    const second = openSqliteStore(path)
    expect(second.revision).toBe(revision + 3)
    expect(second.list({ realm: '', resource: 'configmaps' }).map((entry) => entry.value.data)).toEqual([{ k: '2' }])
    expect(
      second.since(
        { realm: '', resource: 'configmaps' }, revision,
      ).map(({ type, previous }) => [type, previous?.revision])
    ).toEqual([
      ['put', undefined], ['put', revision], ['delete', revision + 1],
    ])
    await second.close()
  })

  test('keeps only what is current or in the window', async () => {
    const path = file()
    const store = openSqliteStore(path, { historyEvents: 5 })
    for (let index = 0; index < 600; index++) {
      await store.put(at('n/a'), sample('a', String(index)), store.get(at('n/a'))?.revision ?? 0)
    }
    await store.close()
    const database = new DatabaseSync(path)
    expect(database.prepare('SELECT count(*) AS rows FROM log').get()).toEqual({ rows: expect.any(Number) })
    expect(Number(database.prepare('SELECT count(*) AS rows FROM log').get()?.rows)).toBeLessThan(300)
    database.close()
    const again = openSqliteStore(path)
    expect(again.get(at('n/a'))?.value.data).toEqual({ k: '599' })
    await again.close()
  })

  test('cannot be opened twice, and says who holds it', async () => {
    const path = file()
    const store = openSqliteStore(path)
    expect(() => openSqliteStore(path)).toThrow(StoreLocked)
    expect(() => openSqliteStore(path)).toThrow(`in use by process ${process.pid}`)
    await store.close()
    await openSqliteStore(path).close()
  })

  test('is refused and left alone when it is no database', () => {
    const path = file()
    writeFileSync(path, 'these are somebody else\'s bytes\n'.repeat(100))
    const before = readFileSync(path)
    expect(() => openSqliteStore(path)).toThrow(StoreCorrupt)
    expect(readFileSync(path)).toEqual(before)
  })

  test('is refused and left alone when a newer version wrote it', async () => {
    const path = file()
    await openSqliteStore(path).close()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    const before = readFileSync(path)
    expect(() => openSqliteStore(path)).toThrow(StoreTooNew)
    expect(readFileSync(path)).toEqual(before)
  })

  test('is refused when a stored object was damaged', async () => {
    const path = file()
    const store = openSqliteStore(path)
    await store.put(at('n/a'), sample('a', 'a-text-to-find'), 0)
    await store.close()
    const bytes = readFileSync(path)
    bytes.write('A', bytes.indexOf('a-text-to-find'))
    writeFileSync(path, bytes)
    expect(() => openSqliteStore(path)).toThrow(/revision \d+ is damaged/)
    expect(readFileSync(path)).toEqual(bytes)
  })
})
