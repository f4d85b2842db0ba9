import type { Case, Suite } from './suite'

/** A case whose recorded output ours does not equal. */
export interface Failure {
  name: string
  /** One line. */
  reason: string
}

export interface Verdict {
  passed: number
  failures: Failure[]
}

/** Runs every case, in order. A judge that throws fails its case; the others still run. */
export async function judgeCases(suite: Suite, cases: Iterable<Case>): Promise<Verdict> {
  const verdict: Verdict = { passed: 0, failures: [] }
  for (const testCase of cases) {
    const reason = await reasonOf(suite, testCase)
    if (reason === undefined) verdict.passed += 1
    else verdict.failures.push({ name: testCase.name, reason: reason.replaceAll('\n', ' ') })
  }
  return verdict
}

async function reasonOf(suite: Suite, testCase: Case): Promise<string | undefined> {
  try {
    return await suite.judge(testCase)
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}
