/**
 * `npm test [-- PATTERN…]`: unit, integration and conformance tests, then the browser journeys through the production
 * build; with patterns only the files whose paths contain one. `--unit` (no server starts), `--integration` and `--e2e`
 * run one kind alone.
 */
import { globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuild } from '@/server/cli/build'
import { bin, run } from '@/server/cli/process'
import type { TestReport } from './reporter'
import { ensureBrowser, ensureKubectl, ensureRedis } from './programs'

interface Count {
  passed: number
  failed: number
  /** Why, one text for each failure. */
  failures?: string[]
}

/** Prints the count of all tests on its last line; returns 0 only when at least one ran and none failed. */
export async function main(argv: string[]): Promise<number> {
  const patterns = argv.filter((arg) => !arg.startsWith('--'))
  const only = argv.find((arg) => arg.startsWith('--'))?.slice(2)
  const chosen = (kind: string, files: string): boolean =>
    [kind, undefined].includes(only)
    && (patterns.length === 0 || globSync(files).some((file) => patterns.some((pattern) => file.includes(pattern))))
  const results = mkdtempSync(join(tmpdir(), 'evenkeel-test-'))
  await ensureKubectl()
  await ensureRedis()
  const projects = [
    ...(chosen('unit', '{components,lib,tools}/**/*.test.{ts,tsx}') ? ['unit'] : []),
    ...(chosen('integration', 'server/**/*.test.ts') ? ['integration*'] : []),
  ]
  const unit =
    projects.length > 0 ? await timed('vitest', () => runVitest(projects, patterns, join(results, 'unit.json'))) : none
  const journeys = chosen('e2e', 'e2e/**/*.spec.ts')
    ? await timed('playwright', () => runPlaywright(patterns, join(results, 'e2e.json')))
    : none
  // At the end, because the journeys print much.
  for (const failure of unit.failures ?? []) console.log(`failed: ${failure}`)
  const passed = unit.passed + journeys.passed
  const failed = unit.failed + journeys.failed
  console.log(`${passed} passed, ${failed} failed`)
  return passed > 0 && failed === 0 ? 0 : 1
}

const none: Count = { passed: 0, failed: 0 }

async function timed(part: string, work: () => Promise<Count>): Promise<Count> {
  const began = performance.now()
  const count = await work()
  console.log(`${part}: ${((performance.now() - began) / 60_000).toFixed(1)} min`)
  return count
}

async function runVitest(projects: readonly string[], patterns: readonly string[], output: string): Promise<Count> {
  const code = await run(
    bin('vitest'),
    [
      'run',
      '--reporter=default',
      '--reporter=./tools/test/reporter.ts',
      ...projects.map((project) => `--project=${project}`),
      ...patterns,
    ],
    { EVENKEEL_TEST_REPORT: output },
  )
  const { passed, failures } = readReport<TestReport>(output) ?? { passed: 0, failures: [] }
  if (code === 0 || failures.length > 0) return { passed, failed: failures.length, failures }
  return { passed, failed: 1, failures: [`vitest ended with exit code ${code}`] }
}

async function runPlaywright(patterns: readonly string[], output: string): Promise<Count> {
  const browser = await ensureBrowser()
  await ensureBuild()
  const code = await run(bin('playwright'), ['test', '--reporter=list,json', ...patterns], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: output,
    PLAYWRIGHT_CHROMIUM_PATH: browser,
  })
  const report = readReport<{ stats: { expected: number; unexpected: number; flaky: number } }>(output)
  const failed = report?.stats.unexpected ?? 0
  return {
    passed: (report?.stats.expected ?? 0) + (report?.stats.flaky ?? 0),
    // A runner that failed without naming a failed journey counts as one failure.
    failed: code !== 0 && failed === 0 ? 1 : failed,
  }
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
