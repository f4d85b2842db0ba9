/**
 * One WorkloadRebalancer over N workloads on the whole product: from its creation until the last binding was
 * rescheduled, and what that cost. The product runs as its own process on its durable store.
 */
import { parseArgs } from 'node:util'
import { removeDataDir, startProduct, type Product } from '@/e2e/support/product'
import { clusterKind, ready } from './members'
import { countOf, seconds, usageOf } from './usage'
import { connectionOf } from '@/server/kube/kubeconfig'
import { createRestClient } from '@/server/kube/rest-client'
import type { KubeClient } from '@/server/kube/client'
import { deployment, propagationPolicy, resourceBinding, workloadRebalancer, type ResourceBinding } from '@/lib/kube/kinds'
import { ensureBuild } from '../build'

const members = ['member1', 'member2', 'member3']
const namespace = 'default'

/** Flags: `--workloads N` (default 500). */
export async function benchRebalance(argv: string[]): Promise<object> {
  const { values } = parseArgs({ args: argv, options: { workloads: { type: 'string', default: '500' } } })
  const workloads = countOf('workloads', values.workloads)
  await ensureBuild()
  const product = await startProduct({ flags: ['--no-demo', '--log-level=warn'] })
  try {
    return await measure(product, workloads)
  } finally {
    await product.stop()
    removeDataDir(product.dataDir)
  }
}

async function measure(product: Product, workloads: number): Promise<object> {
  const client = createRestClient(await connectionOf({ kubeconfig: product.kubeconfig }))
  const names = Array.from({ length: workloads }, (_, index) => `app-${String(index).padStart(5, '0')}`)
  const onboarding = performance.now()
  await populate(client, names)
  await eachBinding(client, workloads, (binding) => binding.status?.lastScheduledTime !== undefined && settled(binding))
  const onboarded = performance.now()
  const before = await usageOf(product)
  const start = performance.now()
  const rebalancer = await client.create(workloadRebalancer, {
    apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', metadata: { name: 'bench' },
    spec: { workloads: names.map((name) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name })) },
  })
  await eachBinding(client, workloads, served)
  const rescheduled = performance.now()
  const after = await usageOf(product)
  const { status } = await client.get(workloadRebalancer, { name: rebalancer.metadata.name })
  return {
    shape: { workloads, members: members.length, replicasEach: 6, strategy: 'dynamic weight', store: 'node:sqlite, synchronous=FULL' },
    secondsUntilAllRescheduled: seconds(rescheduled - start),
    successful: status?.observedWorkloads?.filter((observed) => observed.result === 'Successful').length ?? 0,
    cpuSeconds: Number((after.cpuSeconds - before.cpuSeconds).toFixed(2)),
    residentMiB: after.residentMiB,
    secondsToOnboardAll: seconds(onboarded - onboarding),
  }
}

async function populate(client: KubeClient, names: readonly string[]): Promise<void> {
  for (const name of members) await client.create(clusterKind, {
    apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster',
    metadata: { name, annotations: { 'sim.evenkeel.io/nodes': '20', 'sim.evenkeel.io/node-cpu': '64', 'sim.evenkeel.io/node-memory': '256Gi' } },
    spec: { syncMode: 'Push' },
  })
  await until(async () => (await client.list(clusterKind)).items.every(ready))
  await client.create(propagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy', metadata: { name: 'all', namespace },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: { replicaScheduling: {
        replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted', weightPreference: { dynamicWeight: 'AvailableReplicas' },
      } },
    },
  })
  const queue = [...names]
  await Promise.all(Array.from({ length: 16 }, async () => {
    for (let name = queue.pop(); name; name = queue.pop()) await client.create(deployment, deploymentOf(name))
  }))
}

function deploymentOf(name: string) {
  return {
    apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace },
    spec: {
      replicas: 6, selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'app', image: 'nginx:1.27', resources: { requests: { cpu: '10m', memory: '16Mi' } } }] },
      },
    },
  }
}

/** Rescheduled: the trigger was written and the last scheduling is not before it. */
function served({ spec, status }: ResourceBinding): boolean {
  const trigger = spec.rescheduleTriggeredAt
  return trigger !== undefined && status?.lastScheduledTime !== undefined && status.lastScheduledTime >= trigger
}

function settled({ status, spec }: ResourceBinding): boolean {
  return (spec.clusters?.length ?? 0) > 0 && status?.conditions?.some(({ type, status }) => type === 'FullyApplied' && status === 'True') === true
}

async function eachBinding(client: KubeClient, expected: number, holds: (binding: ResourceBinding) => boolean): Promise<void> {
  await until(async () => (await client.list(resourceBinding, { namespace })).items.filter(holds).length === expected)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 300_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the product did not settle within five minutes')
    await new Promise((resolve) => { setTimeout(resolve, 100) })
  }
}
