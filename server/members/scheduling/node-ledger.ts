/** Tracks the free capacity of each node of a member, incrementally. */
import { podRequirements } from '@/lib/domain/interpreter'
import { readMatched } from '@/lib/domain/spread'
import { node as nodeKind, pod as podKind, type Node, type Pod, type PodSpec } from '@/lib/kube/kinds'
import { keyOf, type ObjectKey, objectKey } from '@/lib/kube/object'
import { parseQuantity, quantityMilli, quantityValue } from '@/lib/kube/quantity'
import type { Stop } from '@/lib/std/clock'
import type { Change, Informers } from '@/server/kube/informer'
import { type Amounts, chooseNode, type NodeChoice, type NodeInfo, type PodNeeds } from './choose-node'
import { antiTerms, neighbourRule, type PlacedPod } from './neighbours'

/** Capacity reserved before the pod exists. */
export interface Reservation {
  choice: NodeChoice
  /** The pod exists under that key, or was not created. */
  settle(key: ObjectKey | undefined): void
}

/** A pod without a node. */
export interface Applicant {
  namespace: string
  labels: Readonly<Record<string, string>>
  spec: PodSpec
  /** Set for an existing pod. */
  key?: ObjectKey
  /** Key of a reservation made before its creation. */
  ticket?: string
}

interface Entry {
  requests: Amounts
  placed: PlacedPod
}

export class NodeLedger {
  readonly #nodes = new Map<string, Omit<NodeInfo, 'used'>>()
  readonly #used = new Map<string, Map<string, number>>()
  readonly #entries = new Map<ObjectKey, Entry>()
  /** Entries with anti-affinity terms. */
  readonly #guarded = new Map<ObjectKey, PlacedPod>()
  /** Reservations of existing pods, until they are observed on their node or released. */
  readonly #moving = new Map<ObjectKey, ObjectKey>()
  readonly #stops: Stop[]
  #reservations = 0

  /** `onRoom` is called when capacity becomes free for pending pods. */
  constructor(
    informers: Informers,
    private readonly onCapacity: () => void,
  ) {
    this.#stops = [
      informers.of(nodeKind).onChange((change) => this.#nodeChanged(change)),
      informers.of(podKind).onChange((change) => this.#podChanged(change)),
    ]
  }

  /** Chooses a node for a pod and reserves the capacity at once, so that it is never assigned twice. */
  reserve(applicant: Applicant): Reservation {
    if (applicant.ticket !== undefined) this.#take(ticketKey(applicant.ticket))
    const needs = needsOf(applicant.spec)
    const choice = this.#choose(applicant, needs)
    if (!('node' in choice)) return { choice, settle: () => undefined }
    const provisional: ObjectKey = `#${this.#reservations++}`
    const entry = entryOf(applicant, choice.node)
    this.#put(provisional, entry)
    const { key: moving } = applicant
    if (moving !== undefined) this.#moving.set(moving, provisional)
    return {
      choice,
      settle: (key) => {
        this.#take(provisional)
        if (moving !== undefined) this.#moving.delete(moving)
        if (key === undefined) this.onCapacity()
        else if (!this.#entries.has(key)) this.#put(key, entry)
      },
    }
  }

  /** Reports whether any node fits the pod. */
  hasCapacity(applicant: Applicant): boolean {
    return 'node' in this.#choose(applicant, needsOf(applicant.spec))
  }

  /** Reserves capacity for a pod that is being created, until it is scheduled. */
  reserveForTicket(applicant: Applicant & { ticket: string }): void {
    const choice = this.#choose(applicant, needsOf(applicant.spec))
    if ('node' in choice) this.#put(ticketKey(applicant.ticket), entryOf(applicant, choice.node))
  }

  /** Releases the reservation of a pod that was not created. */
  releaseReservation(ticket: string): void {
    const key = ticketKey(ticket)
    const held = this.#entries.has(key)
    this.#take(key)
    if (held) this.onCapacity()
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  #choose({ namespace, labels, spec }: Applicant, needs: PodNeeds): NodeChoice {
    const nodeInfos = this.#nodeInfos()
    const { affinity, topologySpreadConstraints: spread } = spec
    const rule = neighbourRule(
      { namespace, labels, needs, ...(affinity && { affinity }), ...(spread && { spread }) },
      {
        nodeInfos,
        placed: () => [...this.#entries.values()].map(({ placed }) => placed),
        guarded: [...this.#guarded.values()],
      },
    )
    return chooseNode(nodeInfos, needs, rule)
  }

  #nodeInfos(): NodeInfo[] {
    return [...this.#nodes.values()].map((nodeInfo) => ({
      ...nodeInfo,
      used: this.#used.get(nodeInfo.name) ?? new Map(),
    }))
  }

  #nodeChanged(change: Change<Node>): void {
    if (change.type === 'deleted') {
      this.#nodes.delete(change.old.metadata.name)
      return
    }
    this.#nodes.set(change.object.metadata.name, {
      ...nodeTraits(change.object),
      allocatable: amountsOf(change.object.status?.allocatable),
    })
    this.onCapacity()
  }

  /** A pod without a node uses nothing; its events may arrive after those of its replacement. */
  #podChanged(change: Change<Pod>): void {
    const pod = change.type === 'deleted' ? change.old : change.object
    const { nodeName } = pod.spec
    const { ticket } = applicantOf(pod)
    if (ticket !== undefined && (nodeName || change.type === 'deleted')) this.releaseReservation(ticket)
    if (!nodeName) return
    const key = objectKey(pod)
    this.#arrived(key)
    const held = this.#entries.get(key)
    if (change.type === 'deleted' || hasEnded(pod)) {
      this.#take(key)
      if (held) this.onCapacity()
    } else if (held?.placed.node !== nodeName) {
      this.#take(key)
      this.#put(key, entryOf(applicantOf(pod), nodeName))
    }
  }

  /** The pod may be observed on its node before its reservation ends; counted twice, it would exclude another pod. */
  #arrived(key: ObjectKey): void {
    const provisional = this.#moving.get(key)
    if (provisional !== undefined) this.#take(provisional)
  }

  #put(key: ObjectKey, entry: Entry): void {
    this.#entries.set(key, entry)
    if (antiTerms(entry.placed).length > 0) this.#guarded.set(key, entry.placed)
    this.#count(entry, 1)
  }

  #take(key: ObjectKey): void {
    const entry = this.#entries.get(key)
    if (!this.#entries.delete(key) || !entry) return
    this.#guarded.delete(key)
    this.#count(entry, -1)
  }

  #count({ placed: { node }, requests }: Entry, sign: 1 | -1): void {
    const used = this.#used.get(node) ?? new Map<string, number>()
    this.#used.set(node, used)
    for (const [name, amount] of [...requests, ['pods', 1] as const])
      used.set(name, (used.get(name) ?? 0) + sign * amount)
  }
}

/** Returns a pod as an applicant for a node. */
export function applicantOf({ metadata, spec }: Pod): Applicant {
  const uid = readMatched(metadata.annotations)?.uid
  const { namespace = '', labels = {} } = metadata
  return { namespace, labels, spec, key: keyOf({ namespace, name: metadata.name }), ...(uid && { ticket: uid }) }
}

/** Prefix that no key of a pod has. */
const ticketKey = (ticket: string): ObjectKey => `?${ticket}`

/** Properties of a node that do not depend on its pods. */
export function nodeTraits({ metadata, spec }: Node): Omit<NodeInfo, 'used' | 'allocatable'> {
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    unschedulable: spec?.unschedulable ?? false,
    taints: spec?.taints ?? [],
  }
}

function entryOf({ namespace, labels, spec }: Applicant, node: string): Entry {
  const { affinity } = spec
  return { requests: needsOf(spec).requests, placed: { namespace, labels, node, ...(affinity && { affinity }) } }
}

const known = new WeakMap<PodSpec, PodNeeds>()

/** Requirements of a pod on a node; computed once for all pods of a template. */
export function needsOf(spec: PodSpec): PodNeeds {
  const needs = known.get(spec) ?? {
    requests: amountsOf(podRequirements({ ...spec })?.resourceRequest),
    nodeSelector: spec.nodeSelector ?? {},
    tolerations: spec.tolerations ?? [],
    ...(spec.affinity?.nodeAffinity && { affinity: spec.affinity.nodeAffinity }),
  }
  known.set(spec, needs)
  return needs
}

function amountsOf(list: Readonly<Record<string, string | number>> | undefined): Amounts {
  return new Map(
    Object.entries(list ?? {}).map(([name, text]) => {
      const quantity = parseQuantity(text)
      return [name, Number(name === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity))]
    }),
  )
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed'
