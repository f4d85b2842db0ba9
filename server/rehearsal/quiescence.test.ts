import { expect, test } from 'vitest'
import { Activity, NotQuiescent, untilQuiet } from './quiescence'

test('a call that ends much later, and what follows from it, is waited for', async () => {
  const activity = new Activity()
  const seen: string[] = []
  const inTurns = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  void activity
    .during(() => inTurns(20))
    .then(() => inTurns(1))
    .then(() => activity.during(() => inTurns(20)))
    .then(() => seen.push('done'))
  await untilQuiet(activity, () => 0)
  expect(seen).toEqual(['done'])
  expect(activity).toMatchObject({ open: 0, begun: 2 })
})

test('work without a call is waited for as long as it writes or has callbacks', async () => {
  let revision = 0
  const write = (): void => {
    revision += 1
    if (revision < 30) setImmediate(write)
  }
  write()
  await untilQuiet(new Activity(), () => revision)
  expect(revision).toBe(30)
})

test('a call that fails is over', async () => {
  const activity = new Activity()
  await expect(activity.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await untilQuiet(activity, () => 0)
  expect(activity.open).toBe(0)
})

test('work that never ends is given up', async () => {
  const activity = new Activity()
  const work = { isOver: false }
  const again = async (): Promise<void> => {
    while (!work.isOver) await activity.during(() => new Promise((resolve) => setImmediate(resolve)))
  }
  const endless = again()
  await expect(untilQuiet(activity, () => 0, 50)).rejects.toThrow(NotQuiescent)
  work.isOver = true
  await endless
})
