/** The scheduler on recorded inputs: time per decision, and whether the results are the recorded ones. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { type BenchInput, benchScheduler as measure } from '@/lib/domain/bench'

/** Flags: `--clusters 100,1000` (default: all inputs), `--milliseconds 500` per figure. */
export function benchScheduler(argv: string[]): Promise<object> {
  const { values } = parseArgs({
    args: argv,
    options: { clusters: { type: 'string', default: '10,100,1000,5000' }, milliseconds: { type: 'string', default: '500' } },
  })
  const options = { nanoseconds: () => Number(process.hrtime.bigint()), millisecondsPerFigure: Number(values.milliseconds) }
  return Promise.resolve({
    shape: { replicasPerCluster: 10, presentResult: 'every second cluster', operation: 'filter, score, estimate, select, divide' },
    inputs: values.clusters.split(',').map((count) => measure(readInput(count), options)),
  })
}

function readInput(count: string): BenchInput {
  const file = fileURLToPath(new URL(`../../../lib/testing/vectors/bench/scheduler-${count}.json.gz`, import.meta.url))
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as BenchInput
}
