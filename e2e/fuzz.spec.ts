/** A short run of the fuzzer with a fixed seed: every target first repeats earlier findings, which must be fixed. */
import { fuzz } from '@/tools/fuzz/run'
import { targets } from '@/tools/fuzz/targets'
import { expect, test } from './support/fixtures'

const SECONDS = 50
/** Twice the limit of `npm run fuzz`: two other journeys share the two cores, and processor time grows with that. */
const LIMITS = { delayMs: 1000 }

test('a short run of the fuzzer has no findings', async () => {
  test.setTimeout(180_000)
  const report = await fuzz({ targets, seconds: SECONDS, seed: 1, limits: LIMITS })
  expect(report.findings).toEqual([])
  expect(Object.entries(report.targets).filter(([, { sequences }]) => sequences === 0)).toEqual([])
  expect(report.restarts).toBeGreaterThan(0)
})
