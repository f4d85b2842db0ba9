import { expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { keepSession } from './keep-session'

const MINUTE = 60_000

function start() {
  const clock = createFakeClock()
  const renewedAt: number[] = []
  const began = clock.now()
  const keeper = keepSession({
    clock,
    everyMs: 5 * MINUTE,
    renew: () => void renewedAt.push((clock.now() - began) / MINUTE),
  })
  return { clock, keeper, renewedAt }
}

test('the first activity is reported at once, the next ones together after the interval', () => {
  const { clock, keeper, renewedAt } = start()
  keeper.active()
  for (let minute = 0; minute < 4; minute += 1) {
    clock.advance(MINUTE)
    keeper.active()
  }
  expect(renewedAt).toEqual([0])
  clock.advance(MINUTE)
  expect(renewedAt).toEqual([0, 5])
})

test('an idle user does not renew the session', () => {
  const { clock, keeper, renewedAt } = start()
  keeper.active()
  clock.advance(60 * MINUTE)
  expect(renewedAt).toEqual([0])
  keeper.active()
  expect(renewedAt).toEqual([0, 60])
})

test('a session is kept alive though the clock of the machine is set back', () => {
  const { clock, keeper, renewedAt } = start()
  keeper.active()
  clock.set(-60 * MINUTE)
  clock.advance(5 * MINUTE)
  keeper.active()
  expect(renewedAt).toHaveLength(2)
})

test('nothing is reported after it is stopped', () => {
  const { clock, keeper, renewedAt } = start()
  keeper.active()
  clock.advance(MINUTE)
  keeper.active()
  keeper.stop()
  clock.advance(60 * MINUTE)
  expect(renewedAt).toEqual([0])
})
