/** `npm test`: unit, integration and conformance tests, then the browser journeys through the production build. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser, ensureKubectl, ensureRedis } from './programs'
import { ensureBuild } from '@/server/cli/build'
import { bin, run } from '@/server/cli/process'

interface Count {
  passed: number
  failed: number
}

/** Prints the count of all tests on its last line; answers 0 only when at least one ran and none failed. */
export async function main(argv: string[]): Promise<number> {
  const browser = await ensureBrowser()
  await ensureKubectl()
  await ensureRedis()
  await ensureBuild()
  const results = mkdtempSync(join(tmpdir(), 'evenkeel-test-'))
  const unit = argv.includes('--browser-only') ? none : await runVitest(join(results, 'unit.json'))
  const journeys = argv.includes('--no-browser') ? none : await runPlaywright(join(results, 'e2e.json'), browser)
  const passed = unit.passed + journeys.passed
  const failed = unit.failed + journeys.failed
  console.log(`${passed} passed, ${failed} failed`)
  return passed > 0 && failed === 0 ? 0 : 1
}

const none: Count = { passed: 0, failed: 0 }

async function runVitest(output: string): Promise<Count> {
  const code = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`])
  const report = readReport<{ numPassedTests: number; numFailedTests: number }>(output)
  return honest(code, { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 })
}

async function runPlaywright(output: string, browser: string): Promise<Count> {
  const code = await run(bin('playwright'), ['test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: output,
    PLAYWRIGHT_CHROMIUM_PATH: browser,
  })
  const report = readReport<{ stats: { expected: number; unexpected: number; flaky: number } }>(output)
  return honest(code, {
    passed: report?.stats.expected ?? 0,
    failed: (report?.stats.unexpected ?? 0) + (report?.stats.flaky ?? 0),
  })
}

/** A runner that failed without naming a failed test counts as one failure. */
function honest(code: number, count: Count): Count {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
