/**
 * Writes the counts of a vitest run, and the reason of each failure, to the file that `EVENKEEL_TEST_REPORT` names.
 * vitest's own JSON names neither the errors outside of a test nor the hooks and files that failed.
 */
import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

export interface TestReport {
  passed: number
  /** Of each failure: where, and the first lines of the error. */
  failures: string[]
}

const LINES = 6

export default class FailureReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failed = tests.filter((test) => test.result().state === 'failed')
    const failures = [
      ...failed.map((test) => describeFailure(nameOf(test), test.result().errors ?? [])),
      ...modules
        .flatMap((module): (TestModule | TestSuite)[] => [module, ...module.children.allSuites()])
        .filter((each) => each.errors().length > 0)
        .map((each) => describeFailure(nameOf(each), each.errors())),
      ...unhandled.map((error) => describeFailure('outside of a test', [error])),
    ]
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const report: TestReport = { passed, failures }
    writeFileSync(process.env['EVENKEEL_TEST_REPORT'] ?? 'test-report.json', JSON.stringify(report))
  }
}

interface Failure {
  message: string
  stack?: string | undefined
}

function nameOf(each: TestCase | TestModule | TestSuite): string {
  if (each.type === 'module') return each.relativeModuleId
  return `${each.module.relativeModuleId} › ${each.fullName}`
}

function describeFailure(where: string, errors: readonly Failure[]): string {
  const lines = errors.flatMap(({ message, stack = '' }) =>
    (stack.includes(message) ? stack : `${message}\n${stack}`).split('\n'),
  )
  return [where, ...lines.filter((line) => line.trim() !== '').slice(0, LINES)].join('\n  ')
}
