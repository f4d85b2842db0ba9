/** A short run of the fuzzer with a fixed seed: every target begins with what was found once, which is not found again. */
import { fuzz } from '@/tools/fuzz/run'
import { targets } from '@/tools/fuzz/targets'
import { expect, test } from './support/fixtures'

const SECONDS = 50

test('a short run of the fuzzer finds nothing', async () => {
  test.setTimeout(180_000)
  const report = await fuzz({ targets, seconds: SECONDS, seed: 1 })
  expect(report.findings).toEqual([])
  expect(Object.entries(report.targets).filter(([, { sequences }]) => sequences === 0)).toEqual([])
  expect(report.restarts).toBeGreaterThan(0)
})
