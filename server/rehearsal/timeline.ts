/** What happened in a rehearsal, as sentences in the order of time. */
import type { WorkloadId } from '@/lib/domain/rehearsal/record'
import { message, type Message } from '@/lib/messages/message'
import { findCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds'
import { formatTaint } from '@/lib/kube/taint'
import { keyOfWorkload, type Places } from './facts'

export interface Happening {
  atMs: number
  /** The step, from 0, that made it happen; absent for what the fleet did. */
  step?: number
  cluster?: string
  workload?: WorkloadId
  message: Message
}

/** More are counted, not kept. */
const MAX_HAPPENINGS = 50_000

interface SeenCluster {
  ready: string
  taints: readonly string[]
}

export class Timeline {
  readonly #happenings: Happening[] = []
  readonly #clusters = new Map<string, SeenCluster>()
  #omitted = 0

  /** `atMs` is undefined before the rehearsal has begun: what happens then is not told. */
  constructor(private readonly atMs: () => number | undefined) {}

  step(index: number, told: Message): void {
    this.#add({ step: index, message: told })
  }

  placed(workload: WorkloadId, before: Places, after: Places): void {
    const texts = [before, after].map((places) => JSON.stringify([...places].toSorted(byName)))
    if (texts[0] === texts[1]) return
    const told =
      after.size === 0
        ? message('rehearsal.seen.unplaced', { before: listOf(before) })
        : before.size === 0
          ? message('rehearsal.seen.placed', { after: listOf(after) })
          : message('rehearsal.seen.moved', { before: listOf(before), after: listOf(after) })
    this.#add({ workload, message: told })
  }

  cluster({ metadata: { name }, spec, status }: Cluster, isGone: boolean): void {
    const before = this.#clusters.get(name)
    const ready = isGone ? 'Gone' : (findCondition(status?.conditions, 'Ready')?.status ?? 'Unknown')
    const taints = (spec.taints ?? []).map(formatTaint).toSorted()
    this.#clusters.set(name, { ready, taints })
    if (!before) return
    if (before.ready !== ready) {
      this.#add({ cluster: name, message: message('rehearsal.seen.ready', { cluster: name, status: ready }) })
    }
    for (const taint of taints.filter((one) => !before.taints.includes(one))) {
      this.#add({ cluster: name, message: message('rehearsal.seen.tainted', { cluster: name, taint }) })
    }
    for (const taint of before.taints.filter((one) => !taints.includes(one))) {
      this.#add({ cluster: name, message: message('rehearsal.seen.untainted', { cluster: name, taint }) })
    }
  }

  /** By time; at one moment steps first, then clusters, then workloads, each in the order of what happened. */
  list(): { happenings: readonly Happening[]; omitted: number } {
    const happenings = this.#happenings.toSorted(
      (a, b) => a.atMs - b.atMs || rankOf(a) - rankOf(b) || compare(subjectOf(a), subjectOf(b)),
    )
    return { happenings, omitted: this.#omitted }
  }

  #add(happening: Omit<Happening, 'atMs'>): void {
    const atMs = this.atMs()
    if (atMs === undefined) return
    if (this.#happenings.length < MAX_HAPPENINGS) this.#happenings.push({ atMs, ...happening })
    else this.#omitted += 1
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byName = ([a]: [string, number], [b]: [string, number]): number => compare(a, b)
const rankOf = ({ step, cluster }: Happening): number => (step === undefined ? (cluster === undefined ? 2 : 1) : 0)
const subjectOf = ({ cluster = '', workload }: Happening): string => (workload ? keyOfWorkload(workload) : cluster)

const listOf = (places: Places): Message[] =>
  [...places].toSorted(byName).map(([cluster, replicas]) => message('rehearsal.seen.replicas', { cluster, replicas }))
