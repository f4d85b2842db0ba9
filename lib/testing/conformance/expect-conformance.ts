import { expect } from 'vitest'
import { judgeCases } from './judge-cases'
import { bundledVectors, readCases } from './library'
import type { Suite } from './suite'

/** Fails with the names and reasons of all cases of the bundled vectors that the suite does not pass. */
export async function expectConformance<I, O>(suite: Suite<I, O>): Promise<void> {
  const file = bundledVectors(suite.name)
  if (!file) throw new Error(`suite ${suite.name} has no bundled vectors`)
  const { passed, failures } = await judgeCases(suite as Suite, readCases(file))
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(0)
}
