/**
 * Simulates an hour of a fleet: a cluster fails and returns, and all workloads move. Reports requests, writes and
 * processor time before and during the hour.
 */
import { parseArgs } from 'node:util'
import type { Manifest } from '@/lib/domain/rehearsal/scenario'
import { readScenario } from '@/lib/domain/rehearsal/read-scenario'
import { SIM_NODE_CPU, SIM_NODE_MEMORY, SIM_NODES } from '@/lib/kube/simulation'
import { seededRng } from '@/lib/std/rng'
import { aDeployment } from '@/lib/testing/builders'
import { runRehearsal } from '@/server/compose/rehearse'
import { createLogger } from '@/server/telemetry/logger'
import { countOf } from './usage'

/** Flags: `--workloads N` (default 1000), `--clusters N` (default 10), `--minutes N` (default 60). */
export async function benchRehearse(argv: string[]): Promise<object> {
  const options = {
    workloads: { type: 'string', default: '1000' },
    clusters: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '60' },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = {
    workloads: countOf('workloads', values.workloads),
    clusters: countOf('clusters', values.clusters),
    minutes: countOf('minutes', values.minutes),
  }
  const read = readScenario(scenarioOf(shape.minutes))
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const begun = { at: performance.now(), cpu: process.cpuUsage() }
  let settled = begun
  const { figures, verdict, timeline, fleet } = await runRehearsal({
    scenario: read.scenario,
    source: { manifests: objectsOf(shape) },
    onProgress: ({ phase, atMs }) => {
      if (phase === 'running' && atMs === 0 && settled === begun)
        settled = { at: performance.now(), cpu: process.cpuUsage() }
    },
    log: createLogger({ level: 'silent' }),
  })
  const cpu = process.cpuUsage(settled.cpu)
  const runSeconds = (performance.now() - settled.at) / 1000
  return {
    shape: { ...shape, lost: 'member-000, from 10 s to 5 min' },
    seconds: { build: round((settled.at - begun.at) / 1000), run: round(runSeconds) },
    limits: { runSecondsPerHour: 60 },
    timesFasterThanReal: Math.round((shape.minutes * 60) / runSeconds),
    cpuSeconds: { user: round(cpu.user / 1e6), system: round(cpu.system / 1e6) },
    fleet: { clusters: fleet.clusters, workloads: fleet.workloads },
    figures,
    happenings: timeline.length,
    passed: verdict.passed,
    residentMiB: Math.round(process.memoryUsage.rss() / 2 ** 20),
  }
}

const round = (value: number): number => Number(value.toFixed(2))

const scenarioOf = (minutes: number): string => `{
  apiVersion: evenkeel.io/v1alpha1, kind: Scenario, metadata: { name: bench },
  spec: {
    duration: ${Math.min(24 * 60, minutes)}m,
    steps: [{ at: 10s, lose: { clusters: [member-000] } }, { at: 5m, recover: { clusters: [member-000] } }],
    assertions: [{ recoverWithin: { time: 120s } }, { nothingDeletedEverywhere: {} }, { maxLoad: { share: 85% } }] } }`

function objectsOf({ workloads, clusters }: { workloads: number; clusters: number }): Manifest[] {
  const { below } = seededRng(1)
  const annotations = { [SIM_NODES]: '20', [SIM_NODE_CPU]: '32', [SIM_NODE_MEMORY]: '128Gi' }
  return [
    ...Array.from({ length: clusters }, (_, at) => ({
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: `member-${String(at).padStart(3, '0')}`, annotations },
      spec: { syncMode: 'Push' },
    })),
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'all', namespace: 'default' },
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
        placement: {
          clusterTolerations: [],
          spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2, maxGroups: 3 }],
          replicaScheduling: {
            replicaSchedulingType: 'Divided',
            replicaDivisionPreference: 'Weighted',
            weightPreference: { dynamicWeight: 'AvailableReplicas' },
          },
        },
      },
    },
    ...Array.from({ length: workloads }, (_, at) =>
      aDeployment(`app-${String(at).padStart(5, '0')}`, { replicas: 2 + below(3), cpu: '100m' }),
    ),
  ] as unknown as Manifest[]
}
