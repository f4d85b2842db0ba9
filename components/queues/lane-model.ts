/** The geometry of queue lanes: one unit for each lane, one scale for each unit. */
import type { AmountView, PendingView, QueueView } from '@/lib/view/queue-model'
import { byFullness } from './queue-list'

/** Quotas say `requests.cpu`, workloads `cpu`. */
const plain = (resource: string): string => resource.replace(/^requests\./, '')

/** The resource that a lane is drawn in: the fullest limited one, else what its workloads use. */
export function laneAmount({ amounts }: Pick<QueueView, 'amounts'>): AmountView | undefined {
  return byFullness(amounts)[0]
}

/** The longest bar of each resource, over all lanes. */
export function laneScales(queues: readonly Pick<QueueView, 'amounts'>[]): ReadonlyMap<string, number> {
  const scales = new Map<string, number>()
  for (const queue of queues) {
    const amount = laneAmount(queue)
    if (!amount) continue
    const most = Math.max(amount.used, amount.quota ?? 0, scales.get(amount.resource) ?? 0)
    scales.set(amount.resource, most)
  }
  return scales
}

export interface Block {
  pending: PendingView
  /** Request of the lane's resource; undefined if the workload does not request it. */
  request: number | undefined
  width: number
}

export const NARROWEST = 32
const WIDEST = 160
/** So many blocks are drawn; the others are counted. */
export const MAX_BLOCKS = 12

/** The first pending workloads in admission order; the width of a block is its request, to the scale of the largest. */
export function blocksOf(pending: readonly PendingView[], resource: string | undefined): Block[] {
  const shown = pending.slice(0, MAX_BLOCKS)
  const requests = shown.map(
    ({ demand }) => demand.find((one) => plain(one.resource) === plain(resource ?? ''))?.amount,
  )
  const most = Math.max(0, ...requests.map((request) => request ?? 0))
  return shown.map((each, at) => {
    const request = requests[at]
    const width = request === undefined || most === 0 ? NARROWEST : Math.max(NARROWEST, (request / most) * WIDEST)
    return { pending: each, request, width: Math.round(width) }
  })
}
