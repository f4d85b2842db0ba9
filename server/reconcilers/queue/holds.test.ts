import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HELD_PLACED_ANNOTATION, UNDONE_ANNOTATION } from '@/lib/domain/queue'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { Env } from '@/server/testing/start-env'
import { queueController } from '.'
import { type Tenant, startTenant } from './testing/queue-env'

let env: Env
let tenant: Tenant
beforeEach(async () => {
  ;({ env, tenant } = await startTenant())
})
afterEach(() => env.close())

const run = (context: ReconcilerContext = env.context()) => env.run(queueController(context))

describe('a hold', () => {
  test('holds every workload, is effective, ends by itself and is recorded', async () => {
    await tenant.addQueue({
      hold: { reason: 'freeze', by: 'ann', since: '2026-01-01T00:00:00Z', until: '2026-01-01T01:00:00Z' },
    })
    await tenant.wait('a')
    await run()
    await tenant.reports({ hold: { state: 'Effective', affected: 1 } })
    await tenant.isQuiet()
    expect(await tenant.isSuspended('a')).toBe(true)
    await env.advance(3_600_000)
    await tenant.releases('a')
    const { spec, status } = await tenant.reports({
      hold: { state: 'None' },
      lastHold: { reason: 'freeze', by: 'ann', endedBy: 'spec.hold.until' },
    })
    expect(spec?.hold).toBeUndefined()
    expect(status?.lastHold?.endedAt).toMatch(/^2026-01-01T01:/)
    expect(await tenant.told()).toContainEqual(
      expect.stringMatching(/^Normal HoldEnded Queue\/line: The hold ended at 2026-01-01 01:00:00 UTC/),
    )
  })

  test('suspends workloads in flight again', async () => {
    await tenant.addQueue()
    await tenant.wait('a')
    await run()
    await tenant.releases('a')
    await tenant.changeQueue({ hold: { reason: 'freeze' } })
    await tenant.releases()
    await tenant.reports({ hold: { state: 'Effective', affected: 1 } })
    expect(await tenant.told()).toContainEqual(expect.stringMatching(/^Normal Held ResourceBinding\/a-deployment/))
    await tenant.isQuiet()
  })

  test('suspends workloads that were placed once and are placed nowhere now', async () => {
    await tenant.addQueue()
    await tenant.wait('a')
    await run()
    await tenant.releases('a')
    await tenant.place('a')
    await tenant.change('a', { clusters: null })
    await tenant.changeQueue({ hold: { reason: 'freeze' } })
    await tenant.releases()
    await tenant.reports({ hold: { state: 'Effective', affected: 1 } })
    await tenant.isQuiet()
    await tenant.changeQueue({ hold: null })
    await tenant.releases('a')
  })

  test('with includePlaced suspends placed workloads, with its annotation, and resumes them', async () => {
    await tenant.addQueue()
    await tenant.wait('a')
    await run()
    await tenant.releases('a')
    await tenant.place('a')
    await tenant.reports({ admitted: 1 })
    await tenant.changeQueue({ hold: { reason: 'freeze', includePlaced: true } })
    await tenant.releases()
    const held = await tenant.read('a')
    expect(held.metadata.annotations).toMatchObject({ [HELD_PLACED_ANNOTATION]: 'shop/line' })
    expect(held.spec.clusters).toHaveLength(1)
    await tenant.reports({ hold: { state: 'Effective' } })
    await tenant.isQuiet()
    await tenant.changeQueue({ hold: null })
    await tenant.releases('a')
    await env.eventually(async () => expect((await tenant.readQueue()).status?.hold).toEqual({ state: 'None' }))
    expect((await tenant.read('a')).metadata.annotations).not.toHaveProperty([HELD_PLACED_ANNOTATION])
    await tenant.isQuiet()
  })

  test('without includePlaced does not change placed workloads', async () => {
    await tenant.addQueue()
    await tenant.wait('a')
    await run()
    await tenant.releases('a')
    await tenant.place('a')
    await tenant.changeQueue({ hold: { reason: 'freeze' } })
    await tenant.reports({ hold: { state: 'Effective', affected: 0 } })
    await tenant.isQuiet()
    expect(await tenant.isSuspended('a')).toBe(false)
  })

  test('that another controller undoes is restored a few times, reported, and then counts as undone', async () => {
    await tenant.addQueue({ hold: { reason: 'freeze' } })
    await tenant.wait('a')
    await run()
    await tenant.reports({ hold: { state: 'Effective' } })
    for (let times = 1; times <= 5; times += 1) {
      await tenant.change('a', { suspension: { scheduling: false } })
      await env.eventually(async () =>
        expect((await tenant.read('a')).metadata.annotations?.[UNDONE_ANNOTATION]).toMatch(
          new RegExp(`^${times} .* kubectl-edit$`),
        ),
      )
      expect(await tenant.isSuspended('a')).toBe(true)
    }
    expect(await tenant.told()).toContainEqual(
      expect.stringMatching(
        /^Warning HoldUndone ResourceBinding\/a-deployment: kubectl-edit resumed scheduling although the queue is on hold/,
      ),
    )
    await tenant.change('a', { suspension: { scheduling: false } })
    await tenant.reports({ hold: { state: 'Undone', undoneBy: 'kubectl-edit' } })
    await tenant.isQuiet()
    expect(await tenant.isSuspended('a')).toBe(false)
  })

  test('is resumed in stages, each after the previous one was scheduled, and then ends', async () => {
    await tenant.addQueue({ hold: { reason: 'freeze' } })
    for (const name of ['a', 'b', 'c']) {
      await tenant.wait(name)
      await env.advance(1000)
    }
    await run()
    await tenant.reports({ hold: { state: 'Effective', affected: 3 } })
    await tenant.changeQueue({ hold: { resume: { step: 2 } } })
    await tenant.releases('a', 'b')
    await tenant.isQuiet()
    await tenant.reports({ hold: { state: 'Resuming', resumed: 2 } })
    await tenant.place('a')
    await tenant.isQuiet()
    await tenant.releases('a', 'b')
    await tenant.place('b')
    await tenant.releases('a', 'b', 'c')
    const { spec } = await tenant.reports({ hold: { state: 'None' }, lastHold: { reason: 'freeze' } })
    expect(spec?.hold).toBeUndefined()
  })
})
