/** One object must not stop the controller for others, nor prevent a start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { configMap } from '@/lib/kube/kinds/config-map'
import { secret } from '@/lib/kube/kinds/secret'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { startEnv } from '@/server/testing/start-env'
import { type Controller, watch } from './controller'
import { createManager } from './manager'
import { createFailureTracker, FAILURES_REPORTED, type FailureTracker } from './failure-tracker'
import { openPassRecord, type PassRecord, type PassRecordOptions } from './pass-record'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-passes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const clock = createFakeClock()
const tracking = (record: PassRecord | undefined, skip: readonly string[] = []): FailureTracker =>
  createFailureTracker({ record, skip, now: clock.now, after: clock.after })

/** A start of the process. Its record is closed with the test; what is being reconciled then stays in it. */
function open(options?: PassRecordOptions): PassRecord {
  const record = openPassRecord(folder, options)
  onTestFinished(() => record.close())
  return record
}

/** What V8 leaves behind when the heap is exhausted; `crash-watch.test.ts` has all evidence, of real processes. */
const leaveEvidence = (): void => writeFileSync(join(folder, 'fatal-error.json'), '{}')

/** A start of the process that reconciles these keys and is killed under the last one. */
async function beKilledUnder(...keys: string[]): Promise<void> {
  const failureTracker = tracking(open())
  for (const [index, key] of keys.entries()) {
    if (failureTracker.refusal('loop', key) !== undefined) continue
    const end = await failureTracker.begin('loop', key)
    if (index < keys.length - 1) end()
  }
}

/** The same, but the process breaks by itself. */
async function dieUnder(...keys: string[]): Promise<void> {
  await beKilledUnder(...keys)
  leaveEvidence()
}

describe('the record of keys under work', () => {
  test('a key under which the process dies twice is skipped, and others never are', async () => {
    await dieUnder('a/good', 'a/bad')
    await dieUnder('a/bad')
    const failureTracker = tracking(open())
    expect(failureTracker.refusal('loop', 'a/good')).toBeUndefined()
    expect(failureTracker.refusal('loop', 'a/bad')).toMatch(/died 2 times while it reconciled this object/)
    expect(failureTracker.refusal('other', 'a/bad')).toBeUndefined()
    expect(failureTracker.failing()).toEqual([expect.objectContaining({ key: 'a/bad', state: 'skipped', failures: 2 })])
  })

  test('a process that is killed from outside, however often, leaves a suspect and no culprit', async () => {
    for (let round = 0; round < 5; round++) await beKilledUnder('a/slow')
    const record = open()
    expect(record.crashesOf('loop', 'a/slow')).toBe(1)
    expect(tracking(record).refusal('loop', 'a/slow')).toBeUndefined()
  })

  test('suspects are reconciled one at a time, so that a bystander of two crashes stays innocent', async () => {
    const first = tracking(open())
    await Promise.all(['a/1', 'a/2', 'a/3'].map((key) => first.begin('loop', key)))
    const second = tracking(open())
    const begun: string[] = []
    for (const key of ['a/1', 'a/2', 'a/3']) {
      void Promise.resolve(second.begin('loop', key)).then((end) => {
        begun.push(key)
        if (key === 'a/1') end()
      })
    }
    await expect.poll(() => begun).toEqual(['a/1', 'a/2'])
    leaveEvidence()
    const third = tracking(open())
    expect(['a/1', 'a/2', 'a/3'].filter((key) => third.refusal('loop', key) !== undefined)).toEqual(['a/2'])
  })

  test('a suspect that hangs does not hold the others for ever', async () => {
    await dieUnder('a/slow')
    await dieUnder('a/other')
    const failureTracker = tracking(open())
    void failureTracker.begin('loop', 'a/other')
    const next = failureTracker.begin('loop', 'a/other')
    await Promise.resolve()
    clock.advance(5_000)
    expect(await next).toBeTypeOf('function')
  })

  test('an orderly end, a clean second pass and "none" leave nothing behind', async () => {
    const record = openPassRecord(folder)
    const end = await tracking(record).begin('loop', 'a/x')
    end()
    record.close()
    expect(open().crashesOf('loop', 'a/x')).toBe(0)
    await dieUnder('a/x')
    const again = open()
    expect(again.crashesOf('loop', 'a/x')).toBe(1)
    const done = await tracking(again).begin('loop', 'a/x')
    done()
    expect(open().crashesOf('loop', 'a/x')).toBe(0)
    await dieUnder('a/x')
    await dieUnder('a/x')
    expect(open({ forget: true }).crashesOf('loop', 'a/x')).toBe(0)
  })

  test.each(['', 'null', '[1]', '{"loop:a/x":"two"}', '{', '\0\0'])(
    'a damaged file (%j) is the same as none',
    (text) => {
      writeFileSync(join(folder, 'suspects.json'), text)
      writeFileSync(join(folder, 'reconciling'), text)
      expect(open().crashesOf('loop', 'a/x')).toBe(0)
    },
  )

  test('a change or the deletion of the object gives it another try, which is its last', async () => {
    await dieUnder('a/bad')
    await dieUnder('a/bad')
    const failureTracker = tracking(open())
    expect(failureTracker.refusal('loop', 'a/bad')).toBeDefined()
    failureTracker.reconsider('loop', 'a/bad', 'changed')
    expect(failureTracker.refusal('loop', 'a/bad')).toBeUndefined()
    await failureTracker.begin('loop', 'a/bad')
    leaveEvidence()
    expect(tracking(open()).refusal('loop', 'a/bad')).toBeDefined()
  })

  test('what an operator names is skipped until it is deleted', () => {
    const failureTracker = tracking(undefined, ['a/x', 'loop:a/y'])
    // Controllers of several kinds put the kind before the key.
    for (const key of ['ResourceBinding/a/x', 'template:apps/v1:Deployment:a/x', 'policy:PropagationPolicy:a/x'])
      expect(failureTracker.refusal('any', key), key).toContain('--skip-objects')
    expect(failureTracker.refusal('loop', 'ResourceBinding/a/y')).toContain('--skip-objects')
    expect(failureTracker.refusal('any', 'ResourceBinding/a/z')).toBeUndefined()
    expect([
      failureTracker.refusal('loop', 'a/x'),
      failureTracker.refusal('any', 'a/x'),
      failureTracker.refusal('loop', 'a/y'),
    ]).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('--skip-objects')))
    expect(failureTracker.refusal('any', 'a/y')).toBeUndefined()
    failureTracker.reconsider('loop', 'a/x', 'changed')
    expect(failureTracker.refusal('loop', 'a/x')).toBeDefined()
    failureTracker.reconsider('loop', 'a/x', 'deleted')
    expect(failureTracker.refusal('loop', 'a/x')).toBeUndefined()
  })
})

test('a controller that fails on one object continues with others, names the object, and recovers after it is corrected', async () => {
  const env = await startEnv()
  onTestFinished(() => env.close())
  const counts: number[] = []
  const failureTracker = createFailureTracker({
    now: env.clock.now,
    after: env.clock.after,
    onCount: (_, count) => counts.push(count),
  })
  let poisonous = true
  const seen = new Set<string>()
  const controller: Controller = {
    name: 'testing',
    watches: [watch({ kind: configMap })],
    retry: { baseMs: 5, maxMs: 50 },
    reconcile: async (key) => {
      if (key === 'default/poison' && poisonous) throw new RangeError('Invalid time value')
      seen.add(key)
    },
  }
  const { informers, clock: time, log, events } = env
  const manager = createManager({ informers, clock: time, log, events, failureTracker })
  manager.add(controller)
  await manager.start()
  for (const name of ['poison', 'fine']) {
    await env.client.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
    })
  }
  await env.eventually(() =>
    expect(failureTracker.failing()).toEqual([
      expect.objectContaining({
        controller: 'testing',
        key: 'default/poison',
        state: 'failing',
        cause: 'Invalid time value',
      }),
    ]),
  )
  expect(seen.has('default/fine')).toBe(true)
  await env.eventually(async () =>
    expect(await env.recordedEvents()).toContainEqual(
      expect.objectContaining({
        reason: 'ReconcileFailing',
        message: `Failed ${FAILURES_REPORTED} times in a row: Invalid time value`,
        involvedObject: expect.objectContaining({ kind: 'ConfigMap', name: 'poison' }),
      }),
    ),
  )
  poisonous = false
  await env.eventually(() => expect(failureTracker.failing()).toEqual([]))
  expect(counts).toEqual([1, 0])
  await manager.stopControllers()
})

test('a skipped object is not reconciled, says so, and its deletion is', async () => {
  const env = await startEnv()
  onTestFinished(() => env.close())
  const seen: string[] = []
  const failureTracker = createFailureTracker({ skip: ['default/poison'], now: env.clock.now, after: env.clock.after })
  const controller: Controller = {
    name: 'testing',
    watches: [watch({ kind: configMap }), watch({ kind: secret, keys: () => ['default/poison', 'default/touched'] })],
    reconcile: async (key) => void seen.push(key),
  }
  const { informers, clock: time, log, events } = env
  const manager = createManager({ informers, clock: time, log, events, failureTracker })
  manager.add(controller)
  await manager.start()
  const other = { namespace: 'default', name: 'other' }
  await env.client.create(secret, { apiVersion: 'v1', kind: 'Secret', metadata: other })
  await env.client.create(configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'poison', namespace: 'default' },
  })
  await env.eventually(async () =>
    expect(await env.recordedEvents()).toContainEqual(
      expect.objectContaining({ reason: 'ReconcileSkipped', message: expect.stringContaining('--skip-objects') }),
    ),
  )
  expect(seen).not.toContain('default/poison')
  seen.length = 0
  await env.client.delete(secret, other)
  await env.eventually(() => expect(seen).toContain('default/touched'))
  expect(seen, 'after the deletion of another object').not.toContain('default/poison')
  await env.client.delete(configMap, { namespace: 'default', name: 'poison' })
  await env.eventually(() => expect(seen).toContain('default/poison'))
  await manager.stopControllers()
})
