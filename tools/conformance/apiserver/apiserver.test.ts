import { afterAll, beforeAll, describe, test } from 'vitest'
import { conformance, runCase } from './'
import type { RunningTarget } from './targets/running-target'
import { type TargetChoice, targets } from './targets/targets'

const runnable = (choice: TargetChoice): boolean => choice.absent === undefined

describe.each(targets.filter(runnable))('$name', ({ start }) => {
  let target: RunningTarget
  beforeAll(async () => {
    target = await start()
  }, 120_000)
  afterAll(() => target?.stop())

  describe.each(conformance)('$topic', ({ cases }) => {
    test.for(cases)('$name', async ({ needs, run }, { skip }) => {
      if (needs !== undefined && !target.has[needs]) skip(`needs ${needs}`)
      await runCase(target, run)
    })
  })
})

describe.each(targets.filter((choice) => !runnable(choice)))('$name', ({ absent }) => {
  test.skip(absent ?? '', () => undefined)
})
