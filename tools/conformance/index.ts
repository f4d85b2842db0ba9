/**
 * `npm run conformance -- <suite> [file]`: recorded behaviour of the real implementation against our functions. Sessions
 * with an API server can be replayed on any: `--url=… --token=… [--viewer-token=…] [--parts=gc,…]`, `--kubeconfig=…`.
 */
import { existsSync } from 'node:fs'
import { bundledVectors, listSuites, loadSuite, readCases } from '@/tools/conformance/library'
import { type Outcome } from '@/tools/conformance/sessions/exchanges'
import { readSessionTarget, sessionSuites } from './sessions'
import { judgeCases } from '@/tools/conformance/judge-cases'

/** Prints the failing names with their reasons and, last, the count; answers 0 only if none failed. */
export async function main(argv: string[]): Promise<number> {
  const { target, rest } = readSessionTarget(argv)
  const [name = '', file = bundledVectors(name)] = rest
  const session = sessionSuites[name]
  if (session)
    return file && existsSync(file)
      ? report(await session(file, target))
      : refuse(`suite "${name}" needs a file of recorded sessions`)
  const suite = await loadSuite(name)
  if (!suite)
    return refuse(`no suite "${name}"; there are: ${[...listSuites(), ...Object.keys(sessionSuites)].join(', ')}`)
  if (!file) return refuse(`suite "${name}" has no bundled vectors; name a file`)
  if (!existsSync(file)) return refuse(`no file "${file}"`)
  const { passed, failures } = await judgeCases(suite, readCases(file))
  return conclude(passed, failures)
}

function report(outcomes: readonly Outcome[]): number {
  const skipped = outcomes.filter((outcome) => outcome.skipped)
  for (const { name, skipped: parts = [] } of skipped) console.log(`${name}: left out, needs ${parts.join(', ')}`)
  const failures = outcomes.flatMap(({ name, reason }) => (reason === undefined ? [] : [{ name, reason }]))
  return conclude(outcomes.length - failures.length - skipped.length, failures)
}

function conclude(passed: number, failures: readonly { name: string; reason: string }[]): number {
  for (const failure of failures) console.log(`${failure.name}: ${failure.reason}`)
  console.log(`${passed} passed, ${failures.length} failed`)
  return failures.length === 0 ? 0 : 1
}

function refuse(message: string): number {
  console.error(`conformance: ${message}`)
  return 2
}
