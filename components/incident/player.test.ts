import { describe, expect, test } from 'vitest'
import { Player } from './player'

function stage() {
  let now = 0
  let pending: (() => void) | undefined
  const drawn: number[] = []
  const player = new Player({
    now: () => now,
    next: (draw) => {
      pending = draw
      return () => (pending = undefined)
    },
  })
  let told = 0
  player.subscribe(() => (told += 1))
  player.setScene({
    from: 0,
    to: 100_000,
    present: 90_000,
    stops: [10_000, 20_000, 50_000],
    draw: (at) => drawn.push(at),
  })
  const frame = (ms: number): void => {
    now += ms
    const draw = pending
    pending = undefined
    draw?.()
  }
  return { player, drawn, frame, told: () => told, isWaiting: () => pending !== undefined }
}

describe('the player', () => {
  test('shows the present until it is told otherwise', () => {
    const { player, drawn } = stage()
    expect(player.getState()).toEqual({ at: undefined, playing: false, speed: 1 })
    expect(drawn).toEqual([90_000])
  })

  test('plays at its speed to the end, draws every frame and tells twice a second', () => {
    const { player, drawn, frame, told, isWaiting } = stage()
    player.seek(0)
    player.setSpeed(10)
    player.play()
    const before = told()
    for (let count = 0; count < 60; count += 1) frame(1000 / 60)
    expect(drawn.at(-1)).toBeCloseTo(10_000)
    expect(drawn.length).toBeGreaterThan(60)
    expect(told() - before).toBeLessThanOrEqual(2)
    frame(10_000)
    expect(player.getState()).toMatchObject({ at: undefined, playing: false })
    expect(drawn.at(-1)).toBe(90_000)
    expect(isWaiting()).toBe(false)
  })

  test('begins anew when it is played at the end', () => {
    const { player, frame } = stage()
    player.play()
    frame(1000)
    expect(player.getState().playing).toBe(true)
    player.pause()
    expect(player.getState().at).toBe(1000)
  })

  test('steps through events in both directions and stops playing', () => {
    const { player } = stage()
    player.seek(15_000)
    player.play()
    player.step(1)
    expect(player.getState()).toMatchObject({ at: 20_000, playing: false })
    player.step(-1)
    expect(player.getState().at).toBe(10_000)
    player.step(-1)
    expect(player.getState().at).toBe(0)
  })

  test('never shows what is not recorded yet, and follows the present again', () => {
    const { player } = stage()
    player.seek(99_000)
    expect(player.getState().at).toBe(90_000)
    player.follow()
    expect(player.getState().at).toBeUndefined()
  })
})
