import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFakeClock, type FakeClock } from '@/lib/testing/fake-clock'
import { openJournal } from './journal'
import { type JournalRetention, type JournalStorage, openJournalFiles } from './journal-files'

/** Kept for a week of minutes. */
const MINUTE = 60_000

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

interface Opened {
  directory: string
  clock?: FakeClock
  retention?: Partial<JournalRetention>
  errors?: unknown[]
}

async function open({ directory, clock = createFakeClock(), retention, errors = [] }: Opened): Promise<JournalStorage> {
  const storage = await openJournalFiles({
    directory,
    clock,
    ...(retention && { retention }),
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => storage.close())
  return storage
}

async function linesOf(storage: JournalStorage, since?: number): Promise<string[]> {
  const lines: string[] = []
  for await (const line of storage.read(since)) lines.push(line)
  return lines
}

const filesIn = (directory: string): string[] => readdirSync(directory).sort()

test('lines outlive the process, in their order', async () => {
  const directory = newDirectory()
  const first = await open({ directory })
  expect(first.lastAlive).toBeUndefined()
  first.append('one')
  first.append('two')
  expect(await linesOf(first)).toEqual(['one', 'two'])
  first.append('three')
  await first.close()
  const next = await open({ directory })
  next.append('four')
  expect(await linesOf(next)).toEqual(['one', 'two', 'three', 'four'])
})

test('lines are written after a moment by themselves', async () => {
  const directory = newDirectory()
  const clock = createFakeClock()
  const storage = await open({ directory, clock })
  storage.append('one')
  expect(filesIn(directory)).toEqual([])
  clock.advance(200)
  await storage.close()
  expect(readFileSync(join(directory, filesIn(directory)[0] ?? ''), 'utf8')).toBe('one\n')
})

test('a last line that a crash cut off affects neither itself nor the next one', async () => {
  const directory = newDirectory()
  const first = await open({ directory })
  first.append(
    '{"seq":1,"at":"2026-01-01T00:00:00.000Z","what":"gap","from":"2026-01-01T00:00:00.000Z","why":"stopped"}',
  )
  await first.close()
  appendFileSync(join(directory, filesIn(directory)[0] ?? ''), '{"seq":2,"at":"2026-01')
  const clock = createFakeClock()
  const damage: number[] = []
  const journal = await openJournal({
    clock,
    storage: await open({ directory, clock }),
    onDamage: (lines) => damage.push(lines),
  })
  journal.noteGap('2026-01-01T00:00:00.000Z', 'unreachable')
  const seen: number[] = []
  for await (const { seq } of journal.read({})) seen.push(seq)
  expect(seen).toEqual([1, 2])
  expect(damage).toEqual([1])
})

test('the oldest files go when all are too large or too old, the newest stays', async () => {
  const directory = newDirectory()
  const clock = createFakeClock()
  const storage = await open({ directory, clock, retention: { fileBytes: 10, bytes: 30, ageMs: 7 * MINUTE } })
  for (const line of ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd']) {
    storage.append(line)
    await linesOf(storage)
    clock.advance(1000)
  }
  expect(await linesOf(storage)).toEqual(['cccccccccc', 'dddddddddd'])
  expect(storage.begunAt()).toBe(clock.now() - 2000)
  clock.advance(8 * MINUTE)
  storage.append('e')
  await linesOf(storage)
  expect(await linesOf(storage)).toContain('e')
  expect(await linesOf(storage)).not.toContain('cccccccccc')
})

test('a quiet journal begins a new file in time, so that old lines can go', async () => {
  const directory = newDirectory()
  const clock = createFakeClock()
  const storage = await open({ directory, clock, retention: { ageMs: 7 * MINUTE } })
  storage.append('monday')
  await linesOf(storage)
  clock.advance(MINUTE + 1)
  storage.append('tuesday')
  await linesOf(storage)
  expect(filesIn(directory)).toHaveLength(2)
})

test('reading since a time leaves out the files that ended before', async () => {
  const directory = newDirectory()
  const clock = createFakeClock()
  const storage = await open({ directory, clock, retention: { fileBytes: 1 } })
  storage.append('old')
  await linesOf(storage)
  clock.advance(60_000)
  storage.append('new')
  expect(await linesOf(storage, clock.now() - 1000)).toEqual(['new'])
})

test('shows when an idle process was last alive', async () => {
  const directory = newDirectory()
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const first = await open({ directory, clock })
  first.append('one')
  await linesOf(first)
  clock.advance(5000)
  await first.close()
  expect((await open({ directory })).lastAlive).toBe(Date.UTC(2026, 0, 1) + 5000)
})

test('a failed write is reported and retried with the next one', async () => {
  const directory = newDirectory()
  const clock = createFakeClock()
  const errors: unknown[] = []
  const storage = await open({ directory, clock, errors })
  rmSync(directory, { recursive: true })
  storage.append('one')
  await linesOf(storage)
  expect(errors).toHaveLength(1)
})

test('what a failed write left in the middle of a line is taken back before it is tried again', async () => {
  const [directory, clock, errors] = [newDirectory(), createFakeClock(), [] as unknown[]]
  const storage = await open({ directory, clock, errors })
  storage.append('{"n":1}')
  await linesOf(storage)
  const path = join(
    directory,
    filesIn(directory).find((name) => name.endsWith('.jsonl'))!,
  )
  renameSync(path, `${path}.aside`)
  mkdirSync(path)
  for (const n of [2, 3]) storage.append(`{"n":${n}}`)
  // The flush fails, and so does reading what is no file.
  await linesOf(storage).catch(() => undefined)
  expect(errors).toHaveLength(1)
  rmdirSync(path)
  renameSync(`${path}.aside`, path)
  appendFileSync(path, '{"n":2}\n{"n"')
  expect(await linesOf(storage)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
})
