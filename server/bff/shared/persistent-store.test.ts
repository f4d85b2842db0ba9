import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { openPersistentStore } from './persistent-store'
import { createMemoryStore } from './memory-store'
import type { SharedStore } from './store'

const clock = createFakeClock()
const throwing = (error: unknown): void => {
  throw error
}
let path: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  path = join(folder, 'idempotency.jsonl')
})
/** A process that uses the store; the one before it was killed. */
const start = (): Promise<SharedStore> =>
  openPersistentStore({
    store: createMemoryStore({ clock, onError: throwing }),
    path,
    prefix: 'once:',
    clock,
    onError: throwing,
  })

test('keys survive a killed process with their latest values; others and deleted ones do not', async () => {
  const first = await start()
  await first.add('once:a', 'running', 60_000)
  await first.set('once:a', 'done', 60_000)
  await first.add('once:b', 'running', 60_000)
  await first.delete('once:b')
  await first.set('session:c', 'secret', 60_000)
  const second = await start()
  expect([await second.get('once:a'), await second.get('once:b'), await second.get('session:c')]).toEqual([
    'done',
    undefined,
    undefined,
  ])
  expect(await second.add('once:a', 'again', 60_000)).toBe(false)
  expect(readFileSync(path, 'utf8')).not.toContain('secret')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('keys end with their time, and a line that was cut off in the middle is passed over', async () => {
  const first = await start()
  await first.set('once:short', 'x', 1_000)
  await first.set('once:long', 'y', 100_000)
  appendFileSync(path, '["once:half","z')
  clock.advance(2_000)
  const second = await start()
  expect([await second.get('once:short'), await second.get('once:long'), await second.get('once:half')]).toEqual([
    undefined,
    'y',
    undefined,
  ])
})
