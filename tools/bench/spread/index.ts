/**
 * Many writers create N pods at once in a namespace with a WorkloadSpread of three subsets: throughput of the webhook,
 * its writes, and whether each subset ends exactly at its limit.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildProgram } from '../build-program'
import { readMatched } from '@/lib/domain/spread'
import { isConflict } from '@/lib/kube/errors'
import {
  cloneSet as cloneSetKind,
  cluster as clusterKind,
  namespace as namespaceKind,
  pod as podKind,
  workloadSpread as spreadKind,
  type CloneSet,
  type WorkloadSpread,
} from '@/lib/kube/kinds'
import type { KubeClient } from '@/server/kube/client'
import { createRestClient } from '@/server/kube/rest-client'
import { mapBounded } from '@/server/runtime/bounded'
import { countOf, seconds } from '../usage'
import type { Figures } from './serve'

const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url))
const TOKEN = 'bench'
const MEMBER = 'bench'
const LIMITS: readonly [string, number][] = [
  ['a', 0.2],
  ['b', 0.2],
  ['c', 0.6],
]
/** Another client changes the spread this often, so that there are conflicts. */
const OTHER_WRITER_MS = 20
/** Longer than the webhook's entries last. */
const TIMEOUT_MS = 45_000

/** Flags: `--pods N` (default 5000), `--writers N` (default 64). */
export async function benchSpread(argv: string[]): Promise<object> {
  const { values } = parseArgs({
    args: argv,
    options: { pods: { type: 'string', default: '5000' }, writers: { type: 'string', default: '64' } },
  })
  const shape = { pods: countOf('pods', values.pods), writers: countOf('writers', values.writers) }
  const directory = mkdtempSync(join(tmpdir(), 'bench-spread-'))
  const program = await buildProgram(SERVE, 'spread')
  const child = fork(program, [join(directory, 'store.db')])
  try {
    const client = createRestClient({ url: await reply<string>(child), token: TOKEN, userAgent: 'bench' })
    const report = await measure(client, child, shape)
    await client.close()
    return report
  } finally {
    child.kill('SIGKILL')
    rmSync(program)
    rmSync(directory, { recursive: true })
  }
}

interface Shape {
  pods: number
  writers: number
}

async function measure(client: KubeClient, child: ChildProcess, shape: Shape): Promise<object> {
  await client.create(clusterKind, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: MEMBER, annotations: { 'sim.evenkeel.io/nodes': '1' } },
    spec: { syncMode: 'Push' },
  })
  const member = client.member(MEMBER)
  await ask(child, 'start')
  const plain = await createPods(member, 'plain', shape)
  const set = await prepare(member, shape.pods)
  const before = await ask<Figures>(child, 'figures')
  const quarrel = disturb(member)
  const spread = await createPods(member, 'spread', { ...shape, set })
  const disturbances = await quarrel.stop()
  const settledMs = await settle(member, shape.pods)
  const after = await ask<Figures>(child, 'figures')
  const bySubset = await countBySubset(member)
  return {
    shape: {
      ...shape,
      subsets: '20% / 20% / 60%',
      store: 'node:sqlite, synchronous=FULL',
      otherWriterEveryMilliseconds: OTHER_WRITER_MS,
    },
    podsPerSecondThroughWebhook: rate(shape.pods, spread.ms),
    podsPerSecondWithoutSpread: rate(shape.pods, plain.ms),
    latencyMilliseconds: spread.latency,
    secondsUntilCounted: settledMs === undefined ? null : seconds(settledMs),
    statusWrites: after.writes - before.writes,
    podsPerStatusWrite: Number(
      ((after.updates - before.updates) / Math.max(1, after.writes - before.writes)).toFixed(1),
    ),
    conflictsRetried: after.conflicts - before.conflicts,
    writesOfOthers: disturbances,
    podsRefused: spread.refused,
    serverCpuSeconds: Number((after.cpuSeconds - before.cpuSeconds).toFixed(1)),
    podsBySubset: bySubset,
    everySubsetAtItsLimit: LIMITS.every(([name, share]) => bySubset[name] === share * shape.pods),
  }
}

const rate = (pods: number, ms: number): number => Math.round(pods / (ms / 1000))

async function prepare(member: KubeClient, replicas: number): Promise<CloneSet> {
  await member.create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'spread' } })
  const labels = { app: 'web' }
  const set = await member.create(cloneSetKind, {
    apiVersion: 'apps.kruise.io/v1alpha1',
    kind: 'CloneSet',
    metadata: { name: 'web', namespace: 'spread' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web' }] } },
    },
  })
  await member.create(spreadKind, {
    apiVersion: 'apps.kruise.io/v1beta1',
    kind: 'WorkloadSpread',
    metadata: { name: 'web', namespace: 'spread' },
    spec: {
      targetRef: { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', name: 'web' },
      subsets: LIMITS.map(([name, share]) => ({
        name,
        maxReplicas: `${share * 100}%`,
        requiredNodeSelector: { matchExpressions: [{ key: 'zone', operator: 'In', values: [name] }] },
      })),
    },
  })
  return set
}

async function createPods(
  member: KubeClient,
  namespace: string,
  { pods, writers, set }: Shape & { set?: CloneSet },
): Promise<{ ms: number; latency: object; refused: number }> {
  if (!set) await member.create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const owner = set && [
    { apiVersion: set.apiVersion, kind: set.kind, name: set.metadata.name, uid: set.metadata.uid, controller: true },
  ]
  const times: number[] = []
  let refused = 0
  const start = performance.now()
  await mapBounded(Array.from({ length: pods }), writers, async () => {
    for (;;) {
      const begun = performance.now()
      try {
        await member.create(podKind, {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            generateName: 'web-',
            namespace,
            labels: { app: 'web' },
            ...(owner && { ownerReferences: owner }),
          },
          spec: { containers: [{ name: 'main', image: 'web' }] },
        })
        times.push(performance.now() - begun)
        return
      } catch (error) {
        if (refused++ > pods) throw error
      }
    }
  })
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1))
  return { ms: performance.now() - start, latency: { median: at(0.5), p99: at(0.99) }, refused }
}

/** Another writer of the same object, as a second replica of the webhook would be. */
function disturb(member: KubeClient): { stop(): Promise<number> } {
  const over = new AbortController()
  let writes = 0
  const run = async (): Promise<number> => {
    while (!over.signal.aborted) {
      if (await touch(member, writes)) writes += 1
      await new Promise((resolve) => {
        setTimeout(resolve, OTHER_WRITER_MS)
      })
    }
    return writes
  }
  const running = run()
  return {
    stop: () => {
      over.abort()
      return running
    },
  }
}

/** False when another client was faster. */
async function touch(member: KubeClient, count: number): Promise<boolean> {
  try {
    const spread = await member.get(spreadKind, { namespace: 'spread', name: 'web' })
    await member.update(
      spreadKind,
      { ...spread, status: { ...spread.status, observedGeneration: 1000 + count } },
      { subresource: 'status' },
    )
    return true
  } catch (error) {
    if (!isConflict(error)) throw error
    return false
  }
}

/** Until the controller has counted all of them; undefined when it does not. */
async function settle(member: KubeClient, pods: number): Promise<number | undefined> {
  const start = performance.now()
  for (;;) {
    const { status }: WorkloadSpread = await member.get(spreadKind, { namespace: 'spread', name: 'web' })
    const counted = (status?.subsetStatuses ?? []).reduce((sum, { replicas }) => sum + replicas, 0)
    const open = Object.values(status?.versionedSubsetStatuses ?? {})
      .flat()
      .some(({ creatingPods }) => creatingPods)
    if (counted === pods && !open) return performance.now() - start
    if (performance.now() - start > TIMEOUT_MS) return undefined
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
}

async function countBySubset(member: KubeClient): Promise<Record<string, number>> {
  const { items } = await member.list(podKind, { namespace: 'spread' })
  const groups = Map.groupBy(items, ({ metadata }) => readMatched(metadata.annotations)?.subset ?? '(none)')
  return Object.fromEntries([...groups].map(([name, list]) => [name, list.length]).toSorted())
}

function ask<T>(child: ChildProcess, question: string): Promise<T> {
  child.send(question)
  return reply<T>(child)
}

async function reply<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ended with ${String(code)}`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T]
  return message
}
