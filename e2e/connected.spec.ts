/**
 * Beside a Karmada control plane with its own scheduler and controllers. Skipped unless KARMADA_KUBECONFIG names it, and
 * KARMADA_MEMBERS a kubeconfig with a context of the name of each cluster. Creates two Deployments in the namespace
 * "default" and deletes them.
 */
import type { WorkloadView } from '@/lib/view/model'
import { FleetPage } from './pages/fleet'
import { PlanPage } from './pages/plan'
import { dynamicWeight, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { kubectlFor } from './support/kubectl'

const { KARMADA_KUBECONFIG: plane = '', KARMADA_MEMBERS: members = '' } = process.env
test.skip(plane === '' || members === '', 'KARMADA_KUBECONFIG and KARMADA_MEMBERS are not set')
test.use({ flags: [`--kubeconfig=${plane}`, '--login=none', '--journal-dir=none', '--reconcilers=rebalance-plan'] })
test.describe.configure({ mode: 'serial', timeout: 600_000 })

const NAMES = ['evenkeel-journey-1', 'evenkeel-journey-2']
const REPLICAS = 4
/** Karmada collects the status of its clusters every 10 s. */
const SOON = { timeout: 120_000 }

const kubectl = kubectlFor(plane)
const inMembers = kubectlFor(members)

interface Listed {
  items: {
    metadata: { name: string; namespace?: string }
    status?: { readyReplicas?: number; conditions?: Condition[] }
  }[]
}
interface Condition {
  type: string
  status: string
}

async function readyClusters(): Promise<string[]> {
  const { items } = await kubectl.json<Listed>(['get', 'clusters'])
  const isReady = ({ status }: Listed['items'][number]) =>
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True')
  return items.filter(isReady).map(({ metadata }) => metadata.name)
}

/** Ready replicas by namespace/name, as the cluster itself counts them: of all namespaces or of one. */
async function readyIn(cluster: string, namespace?: string): Promise<Map<string, number>> {
  const where = namespace === undefined ? ['-A'] : ['-n', namespace]
  const { items } = await inMembers.json<Listed>(['--context', cluster, 'get', 'deployments', ...where])
  return new Map(
    items.map(({ metadata, status }) => [`${metadata.namespace}/${metadata.name}`, status?.readyReplicas ?? 0]),
  )
}

/** Counts the ready replicas of both workloads in these clusters until stopped, as often as it can. */
function sampleReady(clusters: readonly string[]): { stop(): Promise<number[]> } {
  const counts: number[] = []
  let stopped = false
  const running = (async () => {
    for (;;) {
      if (stopped) return counts
      const found = await Promise.all(clusters.map((cluster) => readyIn(cluster, 'default')))
      const all = found.flatMap((ready) => NAMES.map((name) => ready.get(`default/${name}`) ?? 0))
      counts.push(all.reduce((sum, count) => sum + count, 0))
    }
  })()
  return {
    stop: () => {
      stopped = true
      return running
    },
  }
}

/** Both workloads, restricted to these clusters. */
const placedIn = (clusters: readonly string[]): string => {
  const placement = `{ clusterAffinity: { clusterNames: [${clusters.join(', ')}] }, ${dynamicWeight.slice(1)}`
  return NAMES.map((name) => workload({ name, replicas: REPLICAS, cpu: '10m', placement })).join('')
}

interface Scheduled {
  metadata: { generation: number }
  spec: { placement?: { clusterAffinity?: { clusterNames?: string[] } } }
  status?: { schedulerObservedGeneration?: number }
}

/** Waits until the scheduler has decided on the current placement of both workloads. */
async function untilScheduledAmong(clusters: readonly string[]): Promise<void> {
  for (const name of NAMES) {
    const among = async () => {
      const binding = await kubectl.find<Scheduled>(['resourcebinding', `${name}-deployment`, '-n', 'default'])
      const isDecided = binding?.status?.schedulerObservedGeneration === binding?.metadata.generation
      return isDecided ? binding?.spec.placement?.clusterAffinity?.clusterNames : undefined
    }
    await expect.poll(among, SOON).toEqual(clusters)
  }
}

test.afterAll(async () => {
  if (plane === '' || members === '') return
  await kubectl.run(['delete', '-n', 'default', 'deployments,propagationpolicies', ...NAMES, '--ignore-not-found'])
})

test('every cell has the ready replicas that the cluster itself reports', async ({ page, product }) => {
  const clusters = await readyClusters()
  const cells = async (): Promise<[string, number][]> => {
    const items: WorkloadView[] = []
    for (let next: string | undefined = ''; next !== undefined;) {
      const answer = await page.request.get(`${product.url}/api/v1/workloads?limit=500${next && `&continue=${next}`}`)
      const body = (await answer.json()) as { items: WorkloadView[]; continue?: string }
      items.push(...body.items)
      next = body.continue && encodeURIComponent(body.continue)
    }
    return items
      .filter(({ ref }) => ref.kind === 'Deployment')
      .flatMap(({ ref, cells: list }) =>
        clusters.map((cluster): [string, number] => [
          `${ref.namespace}/${ref.name} in ${cluster}`,
          list.find((cell) => cell.cluster === cluster)?.ready ?? 0,
        ]),
      )
  }
  await expect(async () => {
    const reported = new Map(
      await Promise.all(clusters.map(async (cluster) => [cluster, await readyIn(cluster)] as const)),
    )
    const shown = await cells()
    expect(shown.length).toBeGreaterThan(0)
    const expected = shown.map(([cell]): [string, number] => {
      const [name = '', cluster = ''] = cell.split(' in ')
      return [cell, reported.get(cluster)?.get(name) ?? 0]
    })
    expect(shown).toEqual(expected)
  }).toPass(SOON)
})

test('a plan of the page ends in both clusters without a moment in which a ready replica is missing', async ({
  page,
  product,
}) => {
  const [first, second] = await readyClusters()
  const both = [first!, second!]
  await kubectl.apply(placedIn([first!]))
  await untilScheduledAmong([first!])
  const fleet = new FleetPage(page, product.url)
  await page.goto(`${product.url}/fleet?q=evenkeel-journey`)
  for (const name of NAMES) await fleet.expectDistribution(name, { [first!]: REPLICAS })
  await kubectl.apply(placedIn(both))
  await untilScheduledAmong(both)
  for (const name of NAMES) await fleet.expectDistribution(name, { [first!]: REPLICAS })

  await fleet.select(...NAMES)
  await fleet.preview('waves')
  const samples = sampleReady(both)
  await fleet.apply()
  const plan = new PlanPage(page)
  for (const name of NAMES) await expect(plan.target(name)).toHaveAttribute('data-stage', 'Done', SOON)
  await plan.expectPhase('Completed')
  const counts = await samples.stop()
  expect(counts.length).toBeGreaterThan(5)
  expect(Math.min(...counts)).toBe(NAMES.length * REPLICAS)
  for (const cluster of both) {
    const ready = await readyIn(cluster, 'default')
    for (const name of NAMES) expect(ready.get(`default/${name}`), `${name} in ${cluster}`).toBeGreaterThan(0)
  }
})
