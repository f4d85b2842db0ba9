import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { at, sample, storeConformance, type OpenStore } from '../testing/store-conformance'
import { StoreCorrupt, StoreLocked, StoreTooNew } from './errors'
import { createMemoryStore } from './memory'
import { migrate } from './migrations'
import { openSqliteStore } from './sqlite'
import { SqliteThread } from './sqlite-thread'
import type { Bucket, Store } from './store'

let directory = ''
let count = 0
const file = (): string => join(directory, `data-${count++}.db`)

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'store-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const drivers: [string, OpenStore][] = [
  ['memory', async (options) => createMemoryStore(options)],
  ['sqlite', (options) => openSqliteStore(file(), options)],
]

describe.each(drivers)('the %s store', (_name, open) => {
  test.each(storeConformance.map(([name, check]) => ({ name, check })))('$name', ({ check }) => check(open))

  test('agrees with a plain map under any sequence of writes', async () => {
    const operation = fc.record({
      key: fc.constantFrom('n/a', 'n/b', 'm/a', 'm/c'),
      kind: fc.constantFrom('put', 'delete'),
      value: fc.nat(9),
    })
    const store = await open()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
        const bucket = { keyspace: '', resource: `configmaps-${runs++}` }
        const snapshots = await replay(store, bucket, operations)
        for (const [revision, model] of snapshots) {
          const listed = store.list(bucket, { at: revision })
          expect(listed.map((entry) => [entry.location.key, (entry.value.data as { k: string }).k])).toEqual(
            [...model].toSorted(),
          )
        }
      }),
      { seed: 42, numRuns: 25 },
    )
    await store.close()
  })
})

async function replay(
  store: Store,
  bucket: Bucket,
  operations: { key: string; kind: string; value: number }[],
): Promise<Map<number, Map<string, string>>> {
  const model = new Map<string, string>()
  const snapshots = new Map<number, Map<string, string>>()
  for (const { key, kind, value } of operations) {
    const present = store.get(at(key, bucket))
    if (kind === 'delete' && !present) continue
    if (kind === 'put') {
      await store.put(at(key, bucket), sample(key, String(value)), present?.revision ?? 0)
      model.set(key, String(value))
    } else if (present) {
      await store.delete(at(key, bucket), present.value, present.revision)
      model.delete(key)
    }
    snapshots.set(store.revision, new Map(model))
  }
  return snapshots
}

describe('a sqlite file', () => {
  test('brings back objects, window and revision when it is opened again', async () => {
    const path = file()
    const first = await openSqliteStore(path)
    const { revision } = await first.put(at('n/a'), sample('a', '1'), 0)
    await first.put(at('n/b'), sample('b', '1'), 0)
    await first.put(at('n/a'), sample('a', '2'), revision)
    await first.delete(at('n/b'), sample('b', '1'), revision + 1)
    await first.close()
    const second = await openSqliteStore(path)
    expect(second.revision).toBe(revision + 3)
    expect(second.list({ keyspace: '', resource: 'configmaps' }).map((entry) => entry.value.data)).toEqual([{ k: '2' }])
    expect(
      second
        .since({ keyspace: '', resource: 'configmaps' }, revision)
        .map(({ type, previous }) => [type, previous?.revision]),
    ).toEqual([
      ['put', undefined],
      ['put', revision],
      ['delete', revision + 1],
    ])
    await second.close()
  })

  test('keeps only what is current or in the window', async () => {
    const path = file()
    const store = await openSqliteStore(path, { historyEvents: 5 })
    for (let index = 0; index < 600; index++) {
      await store.put(at('n/a'), sample('a', String(index)), store.get(at('n/a'))?.revision ?? 0)
    }
    await store.close()
    const database = new DatabaseSync(path)
    expect(database.prepare('SELECT count(*) AS rows FROM log').get()).toEqual({ rows: expect.any(Number) })
    expect(Number(database.prepare('SELECT count(*) AS rows FROM log').get()?.rows)).toBeLessThan(300)
    database.close()
    const again = await openSqliteStore(path)
    expect(again.get(at('n/a'))?.value.data).toEqual({ k: '599' })
    await again.close()
  })

  test('cannot be opened twice, and says who holds it', async () => {
    const path = file()
    const store = await openSqliteStore(path)
    await expect(openSqliteStore(path)).rejects.toThrow(StoreLocked)
    await expect(openSqliteStore(path)).rejects.toThrow(`in use by process ${process.pid}`)
    await store.close()
    await (await openSqliteStore(path)).close()
  })

  test('says that its thread has ended, and what to do, once nothing can be written any more', async () => {
    const { thread, answer } = await SqliteThread.open({ file: file(), revision: 0 })
    expect(answer).toBe('open')
    await thread.close()
    await expect(thread.commit({ records: [], forget: [], compacted: 0 })).rejects.toThrow(
      /has ended \(.*\): restart the server/,
    )
  })

  test('is refused and left alone when it is no database', async () => {
    const path = file()
    writeFileSync(path, "these are somebody else's bytes\n".repeat(100))
    const before = readFileSync(path)
    await expect(openSqliteStore(path)).rejects.toThrow(StoreCorrupt)
    expect(readFileSync(path)).toEqual(before)
  })

  test('is refused and left alone when a newer version wrote it', async () => {
    const path = file()
    await (await openSqliteStore(path)).close()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    const before = readFileSync(path)
    await expect(openSqliteStore(path)).rejects.toThrow(StoreTooNew)
    expect(readFileSync(path)).toEqual(before)
  })

  test.each(['wal', 'delete'])(
    'is refused and left alone when a stored object was damaged (journal mode %s)',
    async (mode) => {
      const path = file()
      const store = await openSqliteStore(path)
      await store.put(at('n/a'), sample('a', 'a-text-to-find'), 0)
      await store.close()
      const database = new DatabaseSync(path)
      database.exec(`PRAGMA journal_mode = ${mode}`)
      database.close()
      const bytes = readFileSync(path)
      bytes.write('A', bytes.indexOf('a-text-to-find'))
      writeFileSync(path, bytes)
      await expect(openSqliteStore(path)).rejects.toThrow(/revision \d+ is damaged/)
      expect(readFileSync(path)).toEqual(bytes)
    },
  )

  test('is refused and left alone, what was written last included, when it was damaged before a crash', async () => {
    const path = file()
    const store = await openSqliteStore(path)
    await store.put(at('n/a'), sample('a', 'a-text-to-find'), 0)
    await store.close()
    const damaged = readFileSync(path)
    damaged.write('A', damaged.indexOf('a-text-to-find'))
    writeFileSync(path, damaged)
    const writer = new DatabaseSync(path)
    writer.exec("UPDATE mark SET value = value WHERE name = 'revision'; INSERT INTO mark VALUES ('x', 1)")
    const copy = file()
    writeFileSync(copy, readFileSync(path))
    writeFileSync(`${copy}-wal`, readFileSync(`${path}-wal`))
    writer.close()
    const before = [readFileSync(copy), readFileSync(`${copy}-wal`)]
    expect(before[1]?.length).toBeGreaterThan(0)
    await expect(openSqliteStore(copy)).rejects.toThrow(StoreCorrupt)
    expect([readFileSync(copy), readFileSync(`${copy}-wal`)]).toEqual(before)
  })

  test('whose pages are damaged is refused and left alone', async () => {
    const path = file()
    const store = await openSqliteStore(path)
    for (let index = 0; index < 50; index++) await store.put(at(`n/${index}`), sample(`${index}`, 'x'.repeat(3000)), 0)
    await store.close()
    const bytes = readFileSync(path)
    bytes.fill(0xff, 8192, 3 * 8192)
    writeFileSync(path, bytes)
    await expect(openSqliteStore(path)).rejects.toThrow(StoreCorrupt)
    expect(readFileSync(path)).toEqual(bytes)
  })
})

describe('a file of an older format', () => {
  const steps = [
    (database: DatabaseSync) => database.exec('ALTER TABLE log ADD COLUMN writer TEXT'),
    (database: DatabaseSync) => database.exec("UPDATE log SET writer = 'unknown'"),
  ]

  async function opened(): Promise<DatabaseSync> {
    const path = file()
    const store = await openSqliteStore(path)
    await store.put(at('n/a'), sample('a', '1'), 0)
    await store.close()
    return new DatabaseSync(path)
  }

  test.each([
    [1, 3, 'unknown'],
    [2, 3, 'unknown'],
  ])('%i takes the steps that it lacks and is of format %i', async (format, after, writer) => {
    const database = await opened()
    if (format === 2) steps[0]?.(database)
    migrate(database, format, steps)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: after })
    expect(database.prepare('SELECT writer FROM log').get()).toEqual({ writer })
    database.close()
  })

  test('stays as it was when a step fails', async () => {
    const database = await opened()
    const broken = [
      ...steps,
      () => {
        throw new Error('no')
      },
    ]
    expect(() => migrate(database, 1, broken)).toThrow('no')
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
    expect(() => database.prepare('SELECT writer FROM log')).toThrow('no such column')
    database.close()
  })
})
