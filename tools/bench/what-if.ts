/**
 * Compares what-if results for a generated fleet with the outage or drain itself: all controllers on the embedded API
 * server, with a simulated clock.
 */
import { parseArgs } from 'node:util'
import { replayOutage } from '@/server/testing/outage-replay'
import { countOf } from './usage'

/**
 * Flags: `--clusters N` (default 60), `--workloads N` (default 1500), `--seed N`, `--rate R` evictions a second (default 20),
 * `--cause drained` (default `fails`).
 */
export async function benchWhatIf(argv: string[]): Promise<object> {
  const options = {
    clusters: { type: 'string', default: '60' },
    workloads: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '20' },
    cause: { type: 'string', default: 'fails' },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = {
    cause: causeOf(values.cause),
    clusters: countOf('clusters', values.clusters),
    workloads: countOf('workloads', values.workloads),
    seed: countOf('seed', values.seed),
    evictionsPerSecond: countOf('rate', values.rate),
  }
  const { differences, ...figures } = await replayOutage(shape)
  return {
    shape,
    ...figures,
    differences: differences.slice(0, 10),
    limitedBy: 'agreement is counted, not time; the time is that of every loop in one thread',
  }
}

function causeOf(text: string): 'fails' | 'drained' {
  if (text === 'fails' || text === 'drained') return text
  throw new Error(`--cause must be fails or drained, not "${text}"`)
}
