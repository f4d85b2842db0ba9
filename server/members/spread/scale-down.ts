/**
 * Limits in percent change with the size of a workload, and controllers delete pods before their costs are updated. A
 * deletion that comes too early is refused, so that the controller chooses again.
 */
import {
  type CostChange,
  DELETION_COST_ANNOTATION,
  hasShares,
  honorsDeletionCost,
  isActive,
  rulesOf,
} from '@/lib/domain/spread'
import type { Pod, WorkloadSpread } from '@/lib/kube/kinds'
import type { Clock, EpochMs } from '@/lib/std/clock'
import { Refusal } from './review'
import type { Workloads } from './workloads'

/** Deletions are delayed at most this long without progress of the controller. */
const TIMEOUT_MS = 5000

export class ScaleDown {
  /** The size for which the costs of a spread were written last, by uid. */
  readonly #weighed = new Map<string, number>()
  readonly #heldSince = new Map<string, EpochMs>()
  /** By UID of the spread and of the pod: costs that the cache may not show yet. */
  readonly #costs = new Map<string, Map<string, number>>()

  constructor(private readonly parts: { workloads: Workloads; clock: Clock }) {}

  /** Notes a written cost. Deletions are delayed while costs are being written. */
  weighing({ metadata: { uid } }: WorkloadSpread, { pod, cost }: CostChange): void {
    const costs = this.#costs.get(uid) ?? new Map<string, number>()
    this.#costs.set(uid, costs.set(pod.metadata.uid, Number(cost)))
    this.#heldSince.delete(uid)
  }

  /** Notes that the costs of all pods are now those for that size. */
  weighed(spread: WorkloadSpread, size: number): void {
    const { uid } = spread.metadata
    this.#weighed.set(uid, size)
    const present = new Set(this.parts.workloads.podsOf(spread).map(({ metadata }) => metadata.uid))
    const costs = this.#costs.get(uid)
    for (const known of costs?.keys() ?? []) if (!present.has(known)) costs?.delete(known)
  }

  forget({ metadata: { uid } }: WorkloadSpread): void {
    this.#weighed.delete(uid)
    this.#heldSince.delete(uid)
    this.#costs.delete(uid)
  }

  /** Throws a Refusal (409) while the workload shrinks and another pod should be deleted first. */
  check(spread: WorkloadSpread, pod: Pod): void {
    const {
      metadata: { uid, name },
      spec,
    } = spread
    const reason = this.#obstacle(spread, pod)
    if (reason === undefined || !spec) return void this.#heldSince.delete(uid)
    const now = this.parts.clock.now()
    const since = this.#heldSince.get(uid) ?? now
    this.#heldSince.set(uid, since)
    if (now - since < TIMEOUT_MS) throw new Refusal(409, `WorkloadSpread ${name}: ${reason}; choose again`)
  }

  #obstacle(spread: WorkloadSpread, pod: Pod): string | undefined {
    const {
      spec,
      metadata: { uid },
    } = spread
    if (!spec || !rulesOf(spread).freshShares || !hasShares(spec.subsets) || !honorsDeletionCost(spec.targetRef))
      return undefined
    const { workloads } = this.parts
    const [size, weighed] = [workloads.sizeOf(spread), this.#weighed.get(uid)]
    const active = workloads.podsOf(spread).filter(isActive)
    if (weighed === undefined || active.length <= size) return undefined
    if (weighed !== size) return `the costs of pods are still those of ${weighed} replicas`
    const costs = this.#costs.get(uid)
    const costOf = (one: Pod): number => costs?.get(one.metadata.uid) ?? shownCostOf(one)
    const others = active.filter(({ metadata }) => metadata.uid !== pod.metadata.uid)
    return costOf(pod) >= 0 && others.some((other) => costOf(other) < 0)
      ? 'pods beyond the limit of their subset go first'
      : undefined
  }
}

const shownCostOf = ({ metadata }: Pod): number => Number(metadata.annotations?.[DELETION_COST_ANNOTATION] ?? 0)
