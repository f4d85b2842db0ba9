/** A fleet of two dozen clusters in six regions, with one of them down and one cordoned. */
import type { Page } from '@playwright/test'
import type { Camera, Scene } from '../camera'
import { BOTH, EN_DARK } from '../looks'
import type { Stage } from '../stage'
import { overview, part } from './ready'
import { goOn, settle, untilCounts } from './waits'

export const LARGE_FLAGS = ['--no-demo', '--resource-eviction-rate=100']

const REGIONS = ['eu-west', 'eu-central', 'us-east', 'us-west', 'ap-south', 'ap-east']
const CLUSTERS_OF_REGION = 4
const NAMESPACES = ['shop', 'search', 'media', 'billing']
const APPS = ['api', 'web', 'worker', 'cache', 'index', 'feed', 'auth', 'mail', 'report', 'stream']

const CLUSTERS = REGIONS.flatMap((region) =>
  Array.from({ length: CLUSTERS_OF_REGION }, (_, index) => ({ name: `${region}-${index + 1}`, region })),
)
const WORKLOADS = NAMESPACES.flatMap((namespace, n) =>
  APPS.map((app, a) => ({ namespace, name: `${namespace}-${app}`, at: n * APPS.length + a })),
)
/**
 * Clusters that a workload runs in, and its replicas in each: those of a lost one divide evenly over the rest. A remainder
 * goes to clusters drawn by lot.
 */
const WIDTH = 4
const SHARE = 3

const clusterManifest = ({ name, region }: { name: string; region: string }): string => `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata:
  name: ${name}
  annotations: { sim.evenkeel.io/nodes: "2", sim.evenkeel.io/node-cpu: "8", sim.evenkeel.io/node-memory: 32Gi }
spec: { syncMode: Push, provider: simulated, region: ${region}, zones: [${name}] }
---`

/** Which workload leaves first: the first of those in the cluster that is lost. */
const FIRST_TO_LEAVE = 10

/** Workloads leave a lost cluster one after the other; of those that may all go at once, two runs take others first. */
function workloadManifest({ namespace, name, at }: (typeof WORKLOADS)[number]): string {
  const clusters = Array.from({ length: WIDTH }, (_, index) => CLUSTERS[(at * 5 + index * 7) % CLUSTERS.length]!.name)
  const seconds = 1 + ((at + WORKLOADS.length - FIRST_TO_LEAVE) % WORKLOADS.length)
  const weights = clusters.map((cluster) => `{ targetCluster: { clusterNames: [${cluster}] }, weight: 1 }`)
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: ${name} }]
  placement:
    clusterTolerations: [{ key: cluster.karmada.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: ${seconds} }]
    clusterAffinity: { clusterNames: [${clusters.join(', ')}] }
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference: { staticWeightList: [${weights.join(', ')}] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${namespace}, labels: { app: ${name} } }
spec:
  replicas: ${WIDTH * SHARE}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: app, image: "${namespace}/${name}:1.0", resources: { requests: { cpu: 200m, memory: 128Mi } } }] }
---`
}

const MANIFEST = [
  ...CLUSTERS.map(clusterManifest),
  ...NAMESPACES.map((name) => `\napiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n---`),
].join('')

/** There are so many pairs that a user orders their computation. */
async function allPairs(page: Page): Promise<void> {
  const [verdict, known] = [page.locator('[data-verdict=pairs]'), page.locator('[data-verdict=pairs][data-losses]')]
  const order = verdict.getByRole('button')
  await order.or(known).first().waitFor()
  if (await order.isVisible()) await order.click()
  await known.waitFor()
}

const CALM: readonly Scene[] = [
  {
    name: 'overview-large',
    title: 'Overview of 24 clusters',
    path: '/overview',
    ready: overview,
    looks: [...BOTH, EN_DARK],
  },
  {
    name: 'resilience-large',
    title: 'Resilience of 24 clusters',
    path: '/clusters/what-if',
    ready: allPairs,
    looks: [...BOTH, EN_DARK],
  },
]

const OUTAGE: readonly Scene[] = [
  {
    name: 'overview-large-incident',
    title: 'Overview of 24 clusters with one of them down',
    path: '/overview',
    ready: overview,
    looks: [...BOTH, EN_DARK],
  },
  {
    name: 'fleet-large',
    title: 'Workloads of 24 clusters with one of them down',
    path: '/fleet',
    ready: part('heat-minimap'),
    looks: [...BOTH, EN_DARK],
  },
  { name: 'activity', title: 'Activity', path: '/activity', ready: part('activity-row'), looks: BOTH },
]

export const LARGE = [...CALM, ...OUTAGE]

export async function walkLarge(stage: Stage, camera: Camera): Promise<void> {
  const { kubectl } = stage
  await kubectl.apply(MANIFEST)
  await kubectl.run(['wait', 'clusters', '--all', '--for=condition=Ready=True', '--timeout=60s'])
  await kubectl.apply(WORKLOADS.map(workloadManifest).join(''))
  const all = Object.fromEntries(WORKLOADS.map(({ namespace, name }) => [`${namespace}/${name}`, WIDTH * SHARE]))
  await untilCounts(kubectl, 'replicas', all)
  await goOn(stage, '08:00:05')
  await untilCounts(kubectl, 'readyReplicas', all)
  await goOn(stage, '09:10:00')
  await camera.take(...CALM)
  await goOn(stage, '09:14:05')
  await order(stage, 'us-east-2/simulation', { state: 'down' })
  await order(stage, 'ap-east-3/taints', { change: 'add', taint: { key: 'maintenance', effect: 'NoSchedule' } })
  // The first probe that fails is one of this time, whenever the probes happen.
  await settle(kubectl)
  for (const second of ['08', '10', '12']) await goOn(stage, `09:14:${second}`)
  await camera.take(...OUTAGE)
}

/** As an operator does it in the console, so that Activity tells of it. */
async function order({ url }: Stage, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${url}/api/v1/clusters/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`)
}
