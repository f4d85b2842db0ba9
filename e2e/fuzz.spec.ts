/** A short run of the fuzzer with a fixed seed: what was found once is not found again. */
import { fuzz } from '@/tools/fuzz/run'
import { targets } from '@/tools/fuzz/targets'
import { expect, test } from './support/fixtures'

const chosen = new Set(['frames', 'rbac'])

test('a short run of the fuzzer finds nothing', async () => {
  const report = await fuzz({ targets: targets.filter(({ name }) => chosen.has(name)), seconds: 20, seed: 1, corpus: false })
  expect(report.findings).toEqual([])
  expect(report.sequences).toBeGreaterThan(0)
  expect(report.restarts).toBeGreaterThan(0)
})
