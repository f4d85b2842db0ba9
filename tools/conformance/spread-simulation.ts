/** A CloneSet of healthy pods under a WorkloadSpread, without a server: the sum of the decisions. */
import {
  ANY_VERSION,
  assessSpread,
  DELETION_COST_ANNOTATION,
  recordCreation,
  recordDeletion,
  groupPods,
  hasShares,
  injectSubset,
  planDeletionCosts,
  readMatched,
  type SpreadRules,
} from '@/lib/domain/spread'
import type { Pod, SpreadSubset, WorkloadSpread } from '@/lib/kube/kinds'
import { formatTime } from '@/lib/std/clock'
import { podIn, spreadIn } from './spread-case'

/** `settled`: the controller observes a new size before the workload acts; `stale-costs`: afterwards. */
export type SimulationMode = 'settled' | 'stale-costs'

export interface Simulation {
  subsets: readonly SpreadSubset[]
  sizes: readonly number[]
  mode: SimulationMode
  rules: SpreadRules
}

/** The observable state after each step. */
export interface SimulatedStep {
  replicas: number
  podsBySubset: Record<string, number>
  deletionCostHistogram: Record<string, Record<string, number>>
  missingReplicas: Record<string, number>
  /** Removed pods, as runs of one subset. */
  deletedInOrderFromSubset: { subset: string; count: number }[]
}

const NONE = '(none)'
const START = Date.UTC(2026, 0, 1)

/** Scales the workload to each size. */
export function simulateSteps({ sizes, mode, ...rest }: Simulation): SimulatedStep[] {
  const state = new State(rest)
  return sizes.map((size) => {
    if (mode === 'settled' || state.waits(size)) state.control(size)
    const gone = state.scale(size)
    state.control(size)
    return state.report(size, gone)
  })
}

class State {
  #spread: WorkloadSpread
  #pods: Pod[] = []
  #made = 0
  readonly #rules: SpreadRules

  constructor({ subsets, rules }: Pick<Simulation, 'subsets' | 'rules'>) {
    this.#rules = rules
    const targetRef = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', name: 'web' }
    this.#spread = { ...spreadIn({}), spec: { targetRef, subsets: [...subsets] } }
  }

  /** With fresh shares, a workload that scales down must wait for the costs. */
  waits(size: number): boolean {
    return this.#rules.freshShares && hasShares(this.#subsets) && size < this.#pods.length
  }

  /** One pass of the controller. */
  control(size: number): void {
    const { groups } = groupPods({ spread: this.#spread, pods: this.#pods, nodes: new Map(), size })
    const costs = planDeletionCosts({ subsets: this.#subsets, groups, size, old: false, rules: this.#rules })
    const changed = new Map(costs.map(({ pod, cost }) => [pod, cost]))
    const versions = new Map(this.#pods.length > 0 ? [[ANY_VERSION, groups]] : [])
    const { status } = assessSpread({
      spread: this.#spread,
      groups: versions,
      size,
      now: this.#now,
      rules: this.#rules,
    })
    this.#spread = { ...this.#spread, status }
    this.#pods = this.#pods.map((pod) => {
      const cost = changed.get(pod)
      return cost === undefined ? pod : annotated(pod, cost)
    })
  }

  /** The workload creates or deletes pods; returns the subsets of deleted ones, in order. */
  scale(size: number): string[] {
    while (this.#pods.length < size) this.#pods.push(this.#admit(size))
    const leaving = this.#pods
      .toSorted((a, b) => costOf(a) - costOf(b) || youngerFirst(a, b))
      .slice(0, this.#pods.length - size)
    for (const pod of leaving) this.#spread = { ...this.#spread, status: recordDeletion(this.#entry(pod, size)).status }
    this.#pods = this.#pods.filter((pod) => !leaving.includes(pod))
    return leaving.map(subsetOf)
  }

  report(replicas: number, gone: readonly string[]): SimulatedStep {
    const rows = this.#spread.status?.subsetStatuses ?? []
    const bySubset = Map.groupBy(this.#pods, subsetOf)
    return {
      replicas,
      podsBySubset: Object.fromEntries([...bySubset].map(([subset, pods]) => [subset, pods.length])),
      deletionCostHistogram: Object.fromEntries([...bySubset].map(([subset, pods]) => [subset, histogram(pods)])),
      missingReplicas: Object.fromEntries(rows.map(({ name, missingReplicas }) => [name, missingReplicas])),
      deletedInOrderFromSubset: runsOf(gone),
    }
  }

  get #subsets(): readonly SpreadSubset[] {
    return this.#spread.spec?.subsets ?? []
  }

  get #now(): number {
    return START + this.#made * 1000
  }

  #admit(size: number): Pod {
    this.#made += 1
    const pod = newPod(`web-${this.#made}`, this.#now)
    const { row, status } = recordCreation(this.#entry(pod, size))
    this.#spread = { ...this.#spread, status }
    const subset = this.#subsets.find(({ name }) => name === row?.name)
    const injected = subset && injectSubset(pod, subset, { name: this.#spread.metadata.name, subset: subset.name })
    return injected?.ok ? injected.value : pod
  }

  #entry(pod: Pod, size: number) {
    return { spread: this.#spread, pod, size, now: this.#now, uid: () => pod.metadata.name, rules: this.#rules }
  }
}

function newPod(name: string, now: number): Pod {
  const time = formatTime(now)
  return podIn({
    metadata: { name, namespace: 'default', creationTimestamp: time },
    spec: { nodeName: 'node', containers: [] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }] },
  })
}

function annotated(pod: Pod, cost: string): Pod {
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, [DELETION_COST_ANNOTATION]: cost } },
  }
}

const costOf = ({ metadata }: Pod): number => Number(metadata.annotations?.[DELETION_COST_ANNOTATION] ?? 0)
const youngerFirst = (a: Pod, b: Pod): number => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1)
const subsetOf = ({ metadata }: Pod): string => readMatched(metadata.annotations)?.subset ?? NONE

function histogram(pods: readonly Pod[]): Record<string, number> {
  const byCost = Map.groupBy(pods, costOf)
  return Object.fromEntries([...byCost].map(([cost, list]) => [String(cost), list.length]))
}

function runsOf(subsets: readonly string[]): { subset: string; count: number }[] {
  const runs: { subset: string; count: number }[] = []
  for (const subset of subsets) {
    const last = runs.at(-1)
    if (last?.subset === subset) last.count += 1
    else runs.push({ subset, count: 1 })
  }
  return runs
}
