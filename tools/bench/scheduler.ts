/** One decision of the scheduler, by number of clusters, strategy and mode. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { benchScheduler as measure, type BenchInput, type BenchReport } from '@/tools/bench/schedule-binding'

const sizes = [10, 100, 1000, 5000]

/** Flags: the numbers of clusters; default 10 100 1000 5000. */
export async function benchScheduler(argv: string[]): Promise<object> {
  const wanted = argv.length > 0 ? argv.map(Number) : sizes
  const unknown = wanted.filter((size) => !sizes.includes(size))
  if (unknown.length > 0)
    throw new Error(`there are inputs of ${sizes.join(', ')} clusters, not of ${unknown.join(', ')}`)
  return {
    shape:
      'one full decision: filter, score, estimate, select, divide; 10 replicas a cluster; clusters as a cache holds them',
    reports: wanted.map(benchSize),
    limitedBy: 'one thread: filters, scores and estimates of every cluster, then the division of the replicas',
  }
}

function benchSize(clusters: number): BenchReport {
  const input = JSON.parse(
    gunzipSync(readFileSync(`tools/bench/vectors/scheduler-${clusters}.json.gz`)).toString(),
  ) as BenchInput
  return measure(input, { nanoseconds: () => performance.now() * 1e6 })
}
