/** Rebalances workloads of a control plane at once, and compares the final placements with the preview. */
import { request } from 'undici'
import type { Product } from '@/e2e/support/product'
import type { RebalancePlanView, RebalancerView } from '@/lib/view/rebalance-model'
import type { WorkloadView } from '@/lib/view/model'

/** Numbers of workloads. */
export interface Comparison {
  workloads: number
  moving: number
  /** Of the moving: marked as uncertain in the preview. */
  uncertain: number
  /** Ended as previewed. */
  exact: number
  /** The others that were marked as uncertain. */
  announced: number
  /** Ended as the latest reports of the clusters before the decision imply. */
  asReported: number
}

const NONE: Comparison = { workloads: 0, moving: 0, uncertain: 0, exact: 0, announced: 0, asReported: 0 }

export interface Predictions {
  oneByOne: Comparison
  inBatch: Comparison
}

interface Order {
  namespace: string
  single: number
  batch: number
}

export async function comparePreviews(product: Product, { namespace, single, batch }: Order): Promise<Predictions> {
  const workloads = (await allWorkloads(product)).filter(({ ref }) => ref.namespace === namespace).map(({ ref }) => ref)
  if (workloads.length === 0) throw new Error(`no workload is in the namespace "${namespace}"`)
  const oneByOne = { ...NONE }
  for (const workload of workloads.slice(0, single)) {
    const one = await compare(product, [workload])
    for (const key of Object.keys(NONE) as (keyof Comparison)[]) oneByOne[key] += one[key]
  }
  return { oneByOne, inBatch: await compare(product, workloads.slice(0, batch)) }
}

type Ref = WorkloadView['ref']

async function compare(product: Product, targets: readonly Ref[]): Promise<Comparison> {
  const preview = await call<RebalancePlanView>(product, 'rebalance-previews', { targets })
  const moving = preview.targets.filter(({ verdict }) => verdict === 'moves')
  const staying = targets.length - moving.length
  const unmoved = { ...NONE, workloads: targets.length, exact: staying, asReported: staying }
  if (moving.length === 0) return unmoved
  const { name } = await call<{ name: string }>(product, 'rebalancers', { targets, base: preview.base })
  const { targets: ended } = await untilScheduled(product, name)
  const after = new Map(ended.map(({ id, after: places = [] }) => [id, textOf(places)]))
  const missed = moving.filter((target) => after.get(target.id) !== textOf(target.after))
  const asReported = ended.filter(
    ({ after: places = [], predicted = [], expected = predicted }) => textOf(places) === textOf(expected),
  )
  return {
    ...unmoved,
    moving: moving.length,
    uncertain: moving.filter(({ uncertain }) => uncertain).length,
    exact: staying + moving.length - missed.length,
    announced: missed.filter(({ uncertain }) => uncertain).length,
    asReported: staying + asReported.length,
  }
}

const textOf = (places: RebalancePlanView['targets'][number]['after']): string =>
  places
    .filter(({ replicas }) => replicas > 0)
    .map(({ cluster, replicas }) => `${cluster} ${replicas}`)
    .sort()
    .join(', ')

async function untilScheduled(product: Product, name: string): Promise<RebalancerView> {
  for (;;) {
    const rebalancer = await call<RebalancerView>(product, `rebalancers/${name}`).catch(() => undefined)
    const waiting = rebalancer?.targets.some(({ stage }) => stage === 'pending' || stage === 'triggered')
    if (rebalancer && waiting === false) return rebalancer
    await new Promise((resolve) => void setTimeout(resolve, 500))
  }
}

async function allWorkloads(product: Product): Promise<WorkloadView[]> {
  const all: WorkloadView[] = []
  let next = ''
  do {
    const page = await call<{ items: WorkloadView[]; continue?: string }>(product, `workloads?limit=500${next}`)
    all.push(...page.items)
    next = page.continue ? `&continue=${encodeURIComponent(page.continue)}` : ''
  } while (next !== '')
  return all
}

async function call<T>({ url }: Product, path: string, body?: object): Promise<T> {
  const { statusCode, body: answer } = await request(`${url}/api/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const json = await answer.json()
  if (statusCode >= 400) throw new Error(`${path}: ${JSON.stringify(json)}`)
  return json as T
}
