/** Admission of pods that are created, deleted or evicted. */
import {
  chooseByOrdinal,
  controllerOf,
  recordCreation,
  recordDeletion,
  honorsDeletionCost,
  injectSubset,
  isActive,
  isOwnedByTarget,
  isSupportedOwner,
  keepCost,
  onlySubset,
  readMatched,
  rulesOf,
  selectsPod,
  CREATION_TIMEOUT_MS,
  DELETION_COST_ANNOTATION,
  type Entry,
  type HasCapacity,
} from '@/lib/domain/spread'
import { pod as podKind, type Pod, type WorkloadSpread } from '@/lib/kube/kinds'
import { keyOf, type UnknownObject } from '@/lib/kube/object'
import type { MemberContext } from '../member-context'
import type { StatusUpdate, SpreadStatusWriter } from './status-writer'
import { Refusal, type Review, type Verdict } from './review'
import type { KnownSpreads } from './known-spreads'
import type { ScaleDown } from './scale-down'
import { referenceTo, type Workloads } from './workloads'

export interface PodAdmissionParts {
  member: Pick<MemberContext, 'clock' | 'ledger' | 'informers'>
  statusWriter: SpreadStatusWriter
  workloads: Workloads
  spreads: KnownSpreads
  scaleDown: ScaleDown
  /** A new random UUID. */
  uid: () => string
}

/** The spread and subset of a pod. */
interface Place {
  subset: string
  /** Its identifier until it has a name. */
  uid?: string
}

export class PodAdmission {
  constructor(private readonly parts: PodAdmissionParts) {}

  /** Throws a Refusal. */
  async review(review: Review): Promise<Verdict> {
    if (review.dryRun) return {}
    if (review.subResource === 'eviction') return this.#leave(this.#podOf(review))
    if (review.subResource) return {}
    if (review.operation === 'CREATE') return this.#come(review)
    return review.operation === 'DELETE' ? this.#leave(review.oldObject as Pod | undefined, true) : {}
  }

  async #come({ object, namespace = '' }: Review): Promise<Verdict> {
    const sent = object as Pod
    const pod: Pod = { ...sent, metadata: { ...sent.metadata, namespace } }
    const owner = controllerOf(pod)
    if (!isActive(pod) || !owner || !isSupportedOwner(owner)) return {}
    const spread = await this.#spreadOf(pod, namespace)
    const placement = spread && (await this.#placeIn(spread, pod))
    const subset = placement && spread.spec?.subsets?.find(({ name }) => name === placement.subset)
    // A row whose subset is no longer in the spec was counted and contains no information about the pod.
    if (!subset || !placement) return {}
    const injected = injectSubset(pod, subset, { name: spread.metadata.name, ...placement })
    if (!injected.ok) {
      const which = `subset ${subset.name} of WorkloadSpread ${spread.metadata.name}`
      throw new Refusal(500, `${which} does not fit: ${injected.error}`)
    }
    return { object: withCost(injected.value, spread, subset.name) as unknown as UnknownObject }
  }

  /** The first spread of the namespace whose target owns the pod. */
  async #spreadOf(pod: Pod, namespace: string): Promise<WorkloadSpread | undefined> {
    const present = await this.parts.spreads.of(namespace)
    const candidates = present.filter(({ spec, metadata }) => spec?.targetRef && !metadata.deletionTimestamp)
    const owner = controllerOf(pod)
    if (candidates.length === 0 || !owner) return undefined
    const owners = await this.parts.workloads.ownersOf(namespace, owner)
    const find = ({ kind, name }: { kind: string; name: string }) =>
      owners.find((one) => one.kind === kind && referenceTo(one).name === name)
    for (const spread of candidates) {
      const { targetRef, targetFilter } = spread.spec!
      const owned = isOwnedByTarget(targetRef, owner, { find })
      // The cache lacks the owner; the creator of the pod retries.
      if (!owned.ok) throw new Refusal(500, owned.error)
      const selected = selectsPod(targetFilter, pod.metadata.labels, rulesOf(spread).openFilter)
      if (owned.value && selected.ok && selected.value) return spread
    }
    return undefined
  }

  async #placeIn(spread: WorkloadSpread, pod: Pod): Promise<Place | undefined> {
    const simple = withoutAccounting(spread, pod)
    if (simple) return simple.subset === undefined ? undefined : { subset: simple.subset }
    const ticket = this.parts.uid()
    let place: Place | undefined
    try {
      place = await this.parts.statusWriter.submit(spread, (current) => this.#enter(current, pod, ticket))
      return place
    } finally {
      if (!place) this.parts.member.ledger.releaseReservation(ticket)
    }
  }

  /**
   * The node capacity is reserved while the subset is chosen, not after the write, because other pods of the same write
   * must see it. A repetition first releases the previous reservation.
   */
  #enter(spread: WorkloadSpread, pod: Pod, ticket: string): ReturnType<StatusUpdate<Place | undefined>> {
    this.parts.member.ledger.releaseReservation(ticket)
    const simulated = simulates(spread)
    const simulation = simulated && { hasCapacity: this.#capacityFor(spread, pod) }
    const entry = { ...this.#entry(spread, pod), uid: () => ticket, ...simulation }
    const { row, status, changed, uid } = recordCreation(entry)
    if (!row) return { status, changed, result: undefined }
    const kept = simulated && !pod.metadata.name && this.#reserve(spread, pod, { subset: row.name, ticket })
    return { status, changed, result: { subset: row.name, ...((uid || kept) && { uid: ticket }) } }
  }

  #entry(spread: WorkloadSpread, pod: Pod): Entry {
    const { clock } = this.parts.member
    const size = this.parts.workloads.sizeForShares(spread)
    return { spread, pod, size, now: clock.now(), uid: this.parts.uid, rules: rulesOf(spread) }
  }

  /** Capacity is checked for the pod as patched by the subset. */
  #capacityFor(spread: WorkloadSpread, pod: Pod): HasCapacity {
    return (name) => {
      const applicant = this.#applicant(spread, pod, name)
      return applicant !== undefined && this.parts.member.ledger.hasCapacity(applicant)
    }
  }

  /** Reserves the capacity although the pod does not exist yet. False if the patch does not apply. */
  #reserve(spread: WorkloadSpread, pod: Pod, { subset, ticket }: { subset: string; ticket: string }): boolean {
    const applicant = this.#applicant(spread, pod, subset)
    if (!applicant) return false
    const { ledger, clock } = this.parts.member
    ledger.reserveForTicket({ ...applicant, ticket })
    clock.after(CREATION_TIMEOUT_MS, () => ledger.releaseReservation(ticket))
    return true
  }

  #applicant(spread: WorkloadSpread, pod: Pod, name: string) {
    const subset = spread.spec?.subsets?.find((one) => one.name === name)
    const injected = subset && injectSubset(pod, subset, { name: spread.metadata.name, subset: name })
    if (!injected?.ok) return undefined
    const { metadata, spec } = injected.value
    return { namespace: metadata.namespace ?? '', labels: metadata.labels ?? {}, spec }
  }

  #podOf({ name = '', namespace = '' }: Review): Pod | undefined {
    return this.parts.member.informers.of(podKind).get(keyOf({ namespace, name }))
  }

  /** `chosen`: a controller picked this pod and may pick another. */
  async #leave(pod: Pod | undefined, chosen = false): Promise<Verdict> {
    const matched = pod && readMatched(pod.metadata.annotations)
    if (!pod || !matched || !isActive(pod) || !controllerOf(pod)) return {}
    const spread = this.parts.statusWriter.newest(
      keyOf({ namespace: pod.metadata.namespace ?? '', name: matched.name }),
    )
    if (!spread || withoutAccounting(spread, pod)) return {}
    if (chosen) this.parts.scaleDown.check(spread, pod)
    await this.parts.statusWriter.submit(spread, (current) => {
      const { status, changed } = recordDeletion(this.#entry(current, pod))
      return { status, changed, result: undefined }
    })
    return {}
  }
}

/** No accounting is needed: one subset without a limit, and StatefulSets, whose pods are assigned by ordinal. */
function withoutAccounting(spread: WorkloadSpread, pod: Pod): { subset: string | undefined } | undefined {
  const only = onlySubset(spread.spec?.subsets ?? [])
  if (only) return { subset: only.name }
  if (spread.spec?.targetRef.kind !== 'StatefulSet') return undefined
  return { subset: chooseByOrdinal(spread, pod.metadata.name)?.name }
}

function simulates(spread: WorkloadSpread): boolean {
  const strategy = spread.spec?.scheduleStrategy
  if (!rulesOf(spread).simulation || strategy?.type !== 'Adaptive') return false
  return strategy.adaptive?.disableSimulationSchedule !== true
}

/** A pod with its final deletion cost is never deleted first by mistake, and needs no extra write. */
function withCost(pod: Pod, spread: WorkloadSpread, subset: string): Pod {
  const subsets = spread.spec?.subsets ?? []
  if (!rulesOf(spread).deletionCostAtAdmission || !spread.spec || !honorsDeletionCost(spread.spec.targetRef)) return pod
  const cost = keepCost(
    subsets.findIndex(({ name }) => name === subset),
    subsets.length,
  )
  const annotations = { ...pod.metadata.annotations, [DELETION_COST_ANNOTATION]: String(cost) }
  return { ...pod, metadata: { ...pod.metadata, annotations } }
}
