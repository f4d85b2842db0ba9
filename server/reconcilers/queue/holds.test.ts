import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HELD_PLACED_ANNOTATION, UNDONE_ANNOTATION } from '@/lib/domain/queue'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { Env } from '@/server/testing/start-env'
import { queueController } from '.'
import { type Lines, startLines } from './testing/queue-env'

let env: Env
let lines: Lines
beforeEach(async () => {
  ({ env, lines } = await startLines())
})
afterEach(() => env.close())

const run = (context: ReconcilerContext = env.context()) => env.run(queueController(context))

describe('a hold', () => {
  test('keeps everything back, is effective, ends by itself and is remembered', async () => {
    await lines.addQueue({
      hold: { reason: 'freeze', by: 'ann', since: '2026-01-01T00:00:00Z', until: '2026-01-01T01:00:00Z' },
    })
    await lines.wait('a')
    await run()
    await lines.reports({ hold: { state: 'Effective', affected: 1 } })
    await lines.isQuiet()
    expect(await lines.isSuspended('a')).toBe(true)
    await env.advance(3_600_000)
    await lines.releases('a')
    const { spec, status } = await lines.reports({
      hold: { state: 'None' }, lastHold: { reason: 'freeze', by: 'ann', endedBy: 'spec.hold.until' },
    })
    expect(spec?.hold).toBeUndefined()
    expect(status?.lastHold?.endedAt).toMatch(/^2026-01-01T01:/)
    expect(await lines.told()).toContainEqual(expect.stringMatching(
      /^Normal HoldEnded Queue\/line: The hold ended at 2026-01-01 01:00:00 UTC/,
    ))
  })

  test('takes back what is on its way and not placed yet', async () => {
    await lines.addQueue()
    await lines.wait('a')
    await run()
    await lines.releases('a')
    await lines.changeQueue({ hold: { reason: 'freeze' } })
    await lines.releases()
    await lines.reports({ hold: { state: 'Effective', affected: 1 } })
    expect(await lines.told()).toContainEqual(expect.stringMatching(/^Normal Held ResourceBinding\/a-deployment/))
    await lines.isQuiet()
  })

  test('takes back what had been placed once and is placed nowhere now', async () => {
    await lines.addQueue()
    await lines.wait('a')
    await run()
    await lines.releases('a')
    await lines.place('a')
    await lines.change('a', { clusters: null })
    await lines.changeQueue({ hold: { reason: 'freeze' } })
    await lines.releases()
    await lines.reports({ hold: { state: 'Effective', affected: 1 } })
    await lines.isQuiet()
    await lines.changeQueue({ hold: null })
    await lines.releases('a')
  })

  test('with includePlaced suspends what is placed, with its acknowledgement, and resumes it', async () => {
    await lines.addQueue()
    await lines.wait('a')
    await run()
    await lines.releases('a')
    await lines.place('a')
    await lines.reports({ admitted: 1 })
    await lines.changeQueue({ hold: { reason: 'freeze', includePlaced: true } })
    await lines.releases()
    const held = await lines.read('a')
    expect(held.metadata.annotations).toMatchObject({ [HELD_PLACED_ANNOTATION]: 'shop/line' })
    expect(held.spec.clusters).toHaveLength(1)
    await lines.reports({ hold: { state: 'Effective' } })
    await lines.isQuiet()
    await lines.changeQueue({ hold: null })
    await lines.releases('a')
    await env.eventually(async () => expect((await lines.readQueue()).status?.hold).toEqual({ state: 'None' }))
    expect((await lines.read('a')).metadata.annotations).not.toHaveProperty([HELD_PLACED_ANNOTATION])
    await lines.isQuiet()
  })

  test('without includePlaced leaves alone what is placed', async () => {
    await lines.addQueue()
    await lines.wait('a')
    await run()
    await lines.releases('a')
    await lines.place('a')
    await lines.changeQueue({ hold: { reason: 'freeze' } })
    await lines.reports({ hold: { state: 'Effective', affected: 0 } })
    await lines.isQuiet()
    expect(await lines.isSuspended('a')).toBe(false)
  })

  test('that another controller undoes is restored a few times, told about, and then said to be undone', async () => {
    await lines.addQueue({ hold: { reason: 'freeze' } })
    await lines.wait('a')
    await run()
    await lines.reports({ hold: { state: 'Effective' } })
    for (let times = 1; times <= 5; times += 1) {
      await lines.change('a', { suspension: { scheduling: false } })
      await env.eventually(
        async () => expect((await lines.read('a')).metadata.annotations?.[UNDONE_ANNOTATION])
          .toMatch(new RegExp(`^${times} .* kubectl-edit$`)),
      )
      expect(await lines.isSuspended('a')).toBe(true)
    }
    expect(await lines.told()).toContainEqual(expect.stringMatching(
      /^Warning HoldUndone ResourceBinding\/a-deployment: kubectl-edit resumed scheduling although the queue is on hold/,
    ))
    await lines.change('a', { suspension: { scheduling: false } })
    await lines.reports({ hold: { state: 'Undone', undoneBy: 'kubectl-edit' } })
    await lines.isQuiet()
    expect(await lines.isSuspended('a')).toBe(false)
  })

  test('is lifted in steps, each after the one before was scheduled, and then it is over', async () => {
    await lines.addQueue({ hold: { reason: 'freeze' } })
    for (const name of ['a', 'b', 'c']) {
      await lines.wait(name)
      await env.advance(1000)
    }
    await run()
    await lines.reports({ hold: { state: 'Effective', affected: 3 } })
    await lines.changeQueue({ hold: { resume: { step: 2 } } })
    await lines.releases('a', 'b')
    await lines.isQuiet()
    await lines.reports({ hold: { state: 'Resuming', resumed: 2 } })
    await lines.place('a')
    await lines.isQuiet()
    await lines.releases('a', 'b')
    await lines.place('b')
    await lines.releases('a', 'b', 'c')
    const { spec } = await lines.reports({ hold: { state: 'None' }, lastHold: { reason: 'freeze' } })
    expect(spec?.hold).toBeUndefined()
  })
})
