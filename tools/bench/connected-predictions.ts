/** Rebalances workloads of a control plane at once, and compares the final placements with the preview. */
import { request } from 'undici'
import type { Product } from '@/e2e/support/product'
import type { RebalancePlanView, RebalancerView } from '@/lib/view/rebalance-model'
import type { WorkloadView } from '@/lib/view/model'
import { isMessage } from '@/lib/messages/message'

/** Number of workloads, how many of them ended as previewed, and how many others were marked as uncertain. */
export interface Comparison {
  workloads: number
  moving: number
  exact: number
  announced: number
}

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
  const oneByOne: Comparison = { workloads: 0, moving: 0, exact: 0, announced: 0 }
  for (const workload of workloads.slice(0, single)) {
    const one = await compare(product, [workload])
    for (const key of ['workloads', 'moving', 'exact', 'announced'] as const) oneByOne[key] += one[key]
  }
  return { oneByOne, inBatch: await compare(product, workloads.slice(0, batch)) }
}

type Ref = WorkloadView['ref']

async function compare(product: Product, targets: readonly Ref[]): Promise<Comparison> {
  const preview = await call<RebalancePlanView>(product, 'rebalance-previews', { targets })
  const moving = preview.targets.filter(({ verdict }) => verdict === 'moves')
  const staying = targets.length - moving.length
  if (moving.length === 0) return { workloads: targets.length, moving: 0, exact: staying, announced: 0 }
  const { name } = await call<{ name: string }>(product, 'rebalancers', { targets, base: preview.base })
  const { targets: ended } = await untilScheduled(product, name)
  const after = new Map(ended.map(({ id, after: places = [] }) => [id, textOf(places)]))
  const missed = moving.filter((target) => after.get(target.id) !== textOf(target.after))
  const announced = missed.filter(({ notes = [] }) => notes.some((note) => isMessage(note) && UNSURE.has(note.code)))
  return {
    workloads: targets.length,
    moving: moving.length,
    exact: staying + moving.length - missed.length,
    announced: announced.length,
  }
}

const UNSURE: ReadonlySet<string> = new Set(['rebalance.note.Uncertain', 'rebalance.note.MayNotFit'])

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
