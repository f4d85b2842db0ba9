/** `npm run conformance -- <suite> [file]`: recorded behaviour of the real implementation against our functions. */
import { existsSync } from 'node:fs'
import { bundledVectors, listSuites, loadSuite, readCases } from '@/lib/testing/conformance/library'
import { type Outcome } from '@/server/apiserver/testing/exchanges'
import { sessionSuites } from './conformance-sessions'
import { judgeCases } from '@/lib/testing/conformance/judge-cases'

/** Prints the failing names with their reasons and, last, the count; answers 0 only if none failed. */
export async function main(argv: string[]): Promise<number> {
  const [name = '', file = bundledVectors(name)] = argv
  const session = sessionSuites[name]
  if (session) return file && existsSync(file) ? report(await session(file)) : refuse(`suite "${name}" needs a file of recorded sessions`)
  const suite = await loadSuite(name)
  if (!suite) return refuse(`no suite "${name}"; there are: ${[...listSuites(), ...Object.keys(sessionSuites)].join(', ')}`)
  if (!file) return refuse(`suite "${name}" has no bundled vectors; name a file`)
  if (!existsSync(file)) return refuse(`no file "${file}"`)
  const { passed, failures } = await judgeCases(suite, readCases(file))
  return conclude(passed, failures)
}

function report(outcomes: readonly Outcome[]): number {
  const failures = outcomes.flatMap(({ name, reason }) => (reason === undefined ? [] : [{ name, reason }]))
  return conclude(outcomes.length - failures.length, failures)
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
