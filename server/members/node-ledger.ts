/** What is free on each node of a member, kept up change by change. */
import { podRequirements } from '@/lib/domain/interpreter'
import { node as nodeKind, pod as podKind, type Node, type Pod, type PodSpec } from '@/lib/kube/kinds'
import { type ObjectKey, objectKey } from '@/lib/kube/object'
import { parseQuantity, quantityMilli, quantityValue } from '@/lib/kube/quantity'
import type { Stop } from '@/lib/std/clock'
import type { Change, Informers } from '@/server/kube/informer'
import { chooseNode, type Amounts, type NodeChoice, type NodeRoom, type PodNeeds } from './choose-node'

/** A place that is taken before the pod exists. */
export interface Reservation {
  choice: NodeChoice
  /** The pod exists under that key, or could not be made. */
  settle(key: ObjectKey | undefined): void
}

interface Entry {
  node: string
  requests: Amounts
}

export class NodeLedger {
  readonly #nodes = new Map<string, Omit<NodeRoom, 'used'>>()
  readonly #used = new Map<string, Map<string, number>>()
  readonly #entries = new Map<ObjectKey, Entry>()
  readonly #stops: Stop[]
  #reservations = 0

  /** `onRoom` is called when a pod that found no place might find one now. */
  constructor(informers: Informers, private readonly onRoom: () => void) {
    this.#stops = [
      informers.of(nodeKind).onChange((change) => this.#nodeChanged(change)),
      informers.of(podKind).onChange((change) => this.#podChanged(change)),
    ]
  }

  /** Chooses a node for a pod and takes its place at once, so that two pods never share one. */
  reserve(spec: PodSpec): Reservation {
    const needs = needsOf(spec)
    const choice = chooseNode(this.#rooms(), needs)
    if (!('node' in choice)) return { choice, settle: () => undefined }
    const provisional = `#${this.#reservations++}`
    const entry = { node: choice.node, requests: needs.requests }
    this.#put(provisional, entry)
    return {
      choice,
      settle: (key) => {
        this.#take(provisional)
        if (key === undefined) this.onRoom()
        else if (!this.#entries.has(key)) this.#put(key, entry)
      },
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  #rooms(): NodeRoom[] {
    return [...this.#nodes.values()].map((room) => ({ ...room, used: this.#used.get(room.name) ?? new Map() }))
  }

  #nodeChanged(change: Change<Node>): void {
    if (change.type === 'deleted') {
      this.#nodes.delete(change.old.metadata.name)
      return
    }
    const { metadata, spec, status } = change.object
    this.#nodes.set(metadata.name, {
      name: metadata.name,
      labels: metadata.labels ?? {},
      unschedulable: spec?.unschedulable ?? false,
      allocatable: amountsOf(status?.allocatable),
    })
    this.onRoom()
  }

  /** A pod without a node holds nothing; its events may come after those of the pod that took its place. */
  #podChanged(change: Change<Pod>): void {
    const pod = change.type === 'deleted' ? change.old : change.object
    const { nodeName } = pod.spec
    if (!nodeName) return
    const key = objectKey(pod)
    const held = this.#entries.get(key)
    if (change.type === 'deleted' || hasEnded(pod)) {
      this.#take(key)
      if (held) this.onRoom()
    } else if (held?.node !== nodeName) {
      this.#take(key)
      this.#put(key, { node: nodeName, requests: needsOf(pod.spec).requests })
    }
  }

  #put(key: ObjectKey, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#count(entry, 1)
  }

  #take(key: ObjectKey): void {
    const entry = this.#entries.get(key)
    if (!this.#entries.delete(key) || !entry) return
    this.#count(entry, -1)
  }

  #count({ node, requests }: Entry, sign: 1 | -1): void {
    const used = this.#used.get(node) ?? new Map<string, number>()
    this.#used.set(node, used)
    for (const [name, amount] of [...requests, ['pods', 1] as const]) used.set(name, (used.get(name) ?? 0) + sign * amount)
  }
}

function needsOf(spec: PodSpec): PodNeeds {
  return { requests: amountsOf(podRequirements({ ...spec })?.resourceRequest), nodeSelector: spec.nodeSelector ?? {} }
}

function amountsOf(list: Readonly<Record<string, string | number>> | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => {
    const quantity = parseQuantity(text)
    return [name, Number(name === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity))]
  }))
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed'
