/** `npm run fuzz -- [TARGET] [flags]`: looks for what breaks the product's guarantees. See tools/fuzz/README.md. */
import { parseArgs } from 'node:util'
import { differential } from '@/tools/fuzz/differential'
import { fuzz } from '@/tools/fuzz/run'
import { targets } from '@/tools/fuzz/targets'
import { ensureBuild } from '@/server/cli/build'

const flags = {
  seconds: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  sequence: { type: 'string' },
  'no-corpus': { type: 'boolean', default: false },
  'corpus-only': { type: 'boolean', default: false },
  delay: { type: 'string', default: '500' },
} as const

/** Prints one JSON object; answers 1 with findings and 2 for a target that there is not. */
export async function main(argv: string[]): Promise<number> {
  if (argv[0] === 'differential') return differential(argv.slice(1))
  const { values, positionals } = parseArgs({ args: argv, options: flags, allowPositionals: true })
  const unknown = positionals.filter((name) => !targets.some((target) => target.name === name))
  if (unknown.length > 0) {
    console.error(
      `evenkeel: no fuzz target "${unknown.join(', ')}"; there are: ${targets.map(({ name }) => name).join(', ')}`,
    )
    return 2
  }
  await ensureBuild()
  const report = await fuzz({
    targets: targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    seconds: values['corpus-only'] ? 0 : Number(values.seconds),
    seed: Number(values.seed),
    corpus: !values['no-corpus'],
    limits: { delayMs: Number(values.delay) },
    ...(values.sequence !== undefined && { sequence: Number(values.sequence) }),
    say: (line) => console.error(line),
  })
  console.log(JSON.stringify(report, null, 2))
  return report.findings.length > 0 ? 1 : 0
}
