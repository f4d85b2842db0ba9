import { expect, test } from 'vitest'
import { judgeCases } from './judge-cases'
import { bundledVectors, listSuites, loadSuite, readCases } from './library'

test.each(listSuites())(
  '%s is as recorded',
  async (name) => {
    const [suite, file] = [await loadSuite(name), bundledVectors(name)]
    if (!suite || !file) throw new Error(`suite ${name} has no bundled vectors`)
    const { passed, failures } = await judgeCases(suite, readCases(file))
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(0)
  },
  120_000,
)
