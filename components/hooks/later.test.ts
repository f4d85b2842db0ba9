import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { Later } from './later'

/** Fetches that succeed or fail when the test says so. */
function scripted(...outcomes: readonly ('there' | 'away')[]) {
  const clock = createFakeClock()
  let asked = 0
  let failures = 0
  const load = async () => {
    asked += 1
    if (outcomes[asked - 1] !== 'there') throw new Error('the server is away')
    return 'drawer'
  }
  const later = new Later(load, clock, () => (failures += 1))
  return { later, clock, asked: () => asked, failures: () => failures }
}

const settled = () => new Promise<void>((done) => setImmediate(done))

describe('code that the first paint does without', () => {
  test('is not fetched before a component asks for it', async () => {
    const { later, asked } = scripted('there')
    await settled()
    expect([later.get(), asked()]).toEqual([undefined, 0])
  })

  test('is fetched once for any number of components, and every subscriber is told', async () => {
    const { later, asked } = scripted('there')
    const told: string[] = []
    later.subscribe(() => told.push('first'))
    const leave = later.subscribe(() => told.push('second'))
    leave()
    later.want()
    later.want()
    await settled()
    expect(later.get()).toBe('drawer')
    expect([asked(), told]).toEqual([1, ['first']])
  })

  test('is asked for again while the server is away', async () => {
    const { later, clock, asked, failures } = scripted('away', 'away', 'there')
    later.want()
    await settled()
    expect([later.get(), asked()]).toEqual([undefined, 1])
    for (const attempt of [2, 3]) {
      clock.advance(2000)
      await settled()
      expect(asked()).toBe(attempt)
    }
    expect([later.get(), failures()]).toEqual(['drawer', 2])
  })
})
