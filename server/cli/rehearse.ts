/**
 * `npm run -s rehearse -- SCENARIO.yaml [--demo | --manifests PATH | --federation FILE] [--upstream] [--json] [--junit FILE]`: runs a scenario
 * against a fleet in this process and judges it.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Text } from '@/lib/messages'
import { message } from '@/lib/messages/message'
import { type FleetSource, runRehearsal } from '@/server/compose/rehearse'
import { terminalText } from '@/server/config/terminal'
import { BadInput } from '@/server/rehearsal/bad-input'
import { junitOf } from '@/server/rehearsal/junit'
import { readManifests, readScenarioFile } from '@/server/rehearsal/read-files'
import type { Rehearsal } from '@/server/rehearsal/rehearse'
import { jsonOf, reportOf } from '@/server/rehearsal/report'
import { createLogger } from '@/server/telemetry/logger'
import { readExport, TwinError } from '@/server/twin'

const DEMONSTRATION = 'server/embedded/demo.yaml'

const EXIT = { passed: 0, failed: 1, badInput: 2 } as const

const OPTIONS = {
  demo: { type: 'boolean', default: false },
  manifests: { type: 'string', multiple: true },
  federation: { type: 'string' },
  upstream: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  junit: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

type Arguments = ReturnType<typeof readArguments>

/** Answers 0 if every assertion held, 1 if one did not, 2 for bad input. */
export async function main(argv: string[]): Promise<number> {
  const text = terminalText(process.env)
  try {
    const given = readArguments(argv)
    if (given.help) return print(`${text('rehearsal.usage')}\n`)
    const result = await run(given)
    if (given.junit !== undefined) write(given.junit, junitOf(result, text))
    print(given.json ? `${JSON.stringify(jsonOf(result, text), null, 2)}\n` : reportOf(result, text))
    return result.verdict.passed ? EXIT.passed : EXIT.failed
  } catch (error) {
    process.stderr.write(problemsOf(error, text))
    return EXIT.badInput
  }
}

function readArguments(argv: string[]) {
  try {
    const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true })
    return { ...values, scenario: positionals }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BadInput([message('rehearsal.input.arguments', { why })])
  }
}

/** All files are read before the start. */
async function run({ scenario: paths, upstream, ...sources }: Arguments): Promise<Rehearsal> {
  const [path] = paths
  if (path === undefined || paths.length > 1) throw new BadInput([message('rehearsal.input.oneScenario')])
  const scenario = readScenarioFile(path)
  const source = await sourceOf(sources)
  return runRehearsal({ scenario, source, upstream, log: createLogger({ level: 'silent' }) })
}

async function sourceOf({
  demo,
  manifests,
  federation,
}: Pick<Arguments, 'demo' | 'manifests' | 'federation'>): Promise<FleetSource> {
  const given = [demo || undefined, manifests, federation].filter((one) => one !== undefined)
  if (given.length > 1) throw new BadInput([message('rehearsal.input.oneFleet')])
  if (federation !== undefined) return { federation: await readExport(federation) }
  return { manifests: (manifests ?? [DEMONSTRATION]).flatMap(readManifests) }
}

function write(path: string, content: string): void {
  try {
    writeFileSync(path, content)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BadInput([message('rehearsal.input.unwritable', { path, why })])
  }
}

function print(output: string): number {
  process.stdout.write(output)
  return EXIT.passed
}

/** Passes other errors on. */
function problemsOf(error: unknown, text: Text): string {
  if (error instanceof TwinError) return `evenkeel: ${text.of(error.detail)}\n`
  if (!(error instanceof BadInput)) throw error
  return error.problems.map((problem) => `evenkeel: ${text.of(problem)}\n`).join('')
}
