/**
 * Simulates a fleet: scheduler, members and plan as pure functions, one step at a time, so that a whole run can be read
 * as text. Scheduler and plan are the real decisions; members behave as Deployments do.
 */
import { english } from '@/lib/messages/english'
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { PlannedWorkload, RebalancePlanSpec, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { applyMergePatch } from '@/lib/kube/patch'
import { deepEqual } from '@/lib/std/equal'
import {
  type Binding,
  concludeScheduling,
  decideReschedule,
  defaultProfile,
  scheduleBinding,
  type SchedulerProfile,
  snapshotOf,
} from '../../placement'
import { aCluster } from '../../placement/testing/scheduled'
import { expectedClusters } from '../../propagation'
import { clustersInWords } from '../distribution'
import {
  decideApproval,
  decideNextStep,
  isFinal,
  isReadyUnknown,
  READY_UNKNOWN,
  type RunDecision,
  sinceKey,
} from '../run'
import { workloadOf } from '../select'
import { workloadKey } from '../sync-status'
import type { Restoration } from '../undo'

const START = Date.parse('2026-01-02T00:00:00Z')
const TICK_MS = 1000

interface Copy {
  replicas: number
  ready: number
  /** Steps until the remaining replicas are ready. */
  warming: number
}

export interface FleetOptions {
  /** Capacity of each cluster, in replicas. */
  rooms: Record<string, number>
  profile?: SchedulerProfile
  /** Steps until new replicas are ready. */
  warmUp?: number
  /** Requests that the scheduler may have pending. Default: all. */
  pace?: number
}

/** Applies the writes of controllers as an API server would, and simulates the members. */
export class Fleet {
  now = START
  readonly bindings = new Map<string, Binding>()
  readonly plans = new Map<string, { spec: RebalancePlanSpec; status: RebalancePlanStatus; generation: number }>()
  readonly lines: string[] = []
  /** Fewest ready replicas observed, by workload. */
  readonly lowest = new Map<string, number>()
  /** `cluster/workload` whose new replicas never become ready. */
  readonly broken = new Set<string>()
  /** `cluster/workload` without a status: its item is missing, or says that applying failed. */
  readonly silent = new Map<string, 'missing' | 'notApplied'>()
  /** Selects statuses of plans whose write fails, as after a concurrent change of the plan. */
  losesStatus: (status: RebalancePlanStatus) => boolean = () => false
  readonly #lost = new Set<string>()
  readonly #copies = new Map<string, Map<string, Copy>>()
  readonly #since = new Map<string, { stage: string; at: number }>()
  readonly #unknownSince = new Map<string, number>()
  #tick = 0
  #last = ''

  constructor(private readonly options: FleetOptions) {
    for (const name of Object.keys(options.rooms)) this.#copies.set(name, new Map())
  }

  /** Adds a workload whose replicas run and are ready in their clusters. */
  place(binding: Binding): void {
    const name = binding.spec.resource.name
    this.bindings.set(workloadKey(workloadOf(binding)), binding)
    for (const { name: cluster, replicas = 0 } of binding.spec.clusters ?? []) {
      this.#copies.get(cluster)?.set(name, { replicas, ready: replicas, warming: 0 })
    }
    this.#report()
  }

  plan(name: string, spec: RebalancePlanSpec): void {
    this.plans.set(name, { spec, status: {}, generation: 1 })
    this.say(`plan ${name} is created`)
  }

  change(name: string, spec: Partial<RebalancePlanSpec>): void {
    const plan = this.plans.get(name)!
    this.plans.set(name, { ...plan, spec: { ...plan.spec, ...spec }, generation: plan.generation + 1 })
    this.say(`plan ${name}: ${JSON.stringify(spec)}`)
  }

  /** Changes a workload's spec as a user or another controller would. */
  edit(name: string, spec: Record<string, unknown>): void {
    const entry = [...this.bindings].find(([, binding]) => binding.spec.resource.name === name)!
    this.#write(entry[0], { spec })
    this.say(`${name}: ${JSON.stringify(spec)}`)
  }

  lose(cluster: string): void {
    this.#lost.add(cluster)
    this.say(`${cluster} stops answering`)
  }

  /** One ready replica is lost. */
  crash(cluster: string, name: string): void {
    const copies = this.#copies.get(cluster)!
    const copy = copies.get(name)!
    copies.set(name, { ...copy, ready: copy.ready - 1, warming: 3 })
    this.say(`one of ${name} crashes in ${cluster}`)
  }

  say(text: string): void {
    this.lines.push(`${this.#time()} ${text}`)
  }

  /** Runs until nothing changes any more. */
  run(most = 60): this {
    for (let turn = 0, quiet = 0; turn < most && quiet < 8; turn += 1) quiet = this.turn() ? 0 : quiet + 1
    return this
  }

  /** Runs the scheduler, the members and the plans once; returns whether anything changed. */
  turn(): boolean {
    this.#tick += 1
    this.now += TICK_MS
    const before = this.#state()
    for (const key of this.bindings.keys()) this.#schedule(key)
    this.#dispatch()
    this.#report()
    for (const name of this.plans.keys()) this.#decide(name)
    this.#show()
    return before !== this.#state()
  }

  clusters(): Cluster[] {
    return Object.entries(this.options.rooms).map(([name, room]) => {
      const cluster = aCluster(name, room)
      const used = [...this.#copies.get(name)!.values()].reduce((sum, { replicas }) => sum + replicas, 0)
      const conditions = (cluster.status?.conditions ?? []).map((one) =>
        one.type === 'Ready' && this.#lost.has(name) ? { ...one, status: 'False' as const } : one,
      )
      const allocated = { cpu: String(used), pods: String(used) }
      return {
        ...cluster,
        status: { ...cluster.status, conditions, resourceSummary: { ...cluster.status?.resourceSummary, allocated } },
      }
    })
  }

  #state(): string {
    return JSON.stringify([
      [...this.bindings.values()],
      [...this.plans.values()],
      [...this.#copies].map(([name, copies]) => [name, [...copies]]),
    ])
  }

  #write(key: string, patch: object): void {
    const before = this.bindings.get(key)!
    const after = applyMergePatch(before, patch) as unknown as Binding
    const grown = deepEqual(before.spec, after.spec) ? 0 : 1
    this.bindings.set(key, {
      ...after,
      metadata: { ...after.metadata, generation: (before.metadata.generation ?? 0) + grown },
    })
  }

  #schedule(key: string): void {
    const { profile = defaultProfile } = this.options
    const binding = this.bindings.get(key)!
    const clusters = this.clusters()
    const decision = decideReschedule(binding, snapshotOf(clusters), profile)
    if (decision.act === 'leave' && decision.observe !== undefined) {
      this.#write(key, { status: { schedulerObservedGeneration: decision.observe } })
    }
    if (decision.act !== 'schedule') return
    const verdict = scheduleBinding({ binding, clusters, profile })
    if (verdict.patch) {
      const { clusters: targets, appliedPlacement } = verdict.patch
      this.#write(key, {
        metadata: { annotations: { [APPLIED_PLACEMENT_ANNOTATION]: appliedPlacement } },
        spec: { clusters: targets },
      })
    }
    const { status } = concludeScheduling({
      binding: this.bindings.get(key)!,
      verdict,
      now: this.now,
      profile,
      english: english.of,
    })
    if (status) this.#write(key, { status })
  }

  /** Members apply the bindings, except for protected replicas and clusters that do not answer. */
  #dispatch(): void {
    for (const { spec } of this.bindings.values()) {
      const { name } = spec.resource
      const expected = expectedClusters(spec)
      const held = new Set(spec.suspension?.dispatchingOnClusters?.clusterNames)
      const wanted = new Map((spec.clusters ?? []).map((target) => [target.name, target.replicas ?? 0]))
      for (const [cluster, copies] of this.#copies) {
        if (this.#lost.has(cluster)) continue
        if (!expected.has(cluster)) copies.delete(name)
        else if (wanted.has(cluster) && !held.has(cluster)) this.#scale(cluster, name, wanted.get(cluster)!)
      }
    }
  }

  #scale(cluster: string, name: string, replicas: number): void {
    const copies = this.#copies.get(cluster)!
    const copy = copies.get(name) ?? { replicas: 0, ready: 0, warming: 0 }
    if (copy.replicas !== replicas) {
      const warming = replicas > copy.ready ? (this.options.warmUp ?? 2) : 0
      return void copies.set(name, { replicas, ready: Math.min(copy.ready, replicas), warming })
    }
    if (copy.ready === replicas || this.broken.has(`${cluster}/${name}`)) return
    copies.set(
      name,
      copy.warming > 1 ? { ...copy, warming: copy.warming - 1 } : { replicas, ready: replicas, warming: 0 },
    )
  }

  #report(): void {
    for (const [key, { spec, status }] of this.bindings) {
      const { name } = spec.resource
      const expected = expectedClusters(spec)
      const aggregatedStatus = [...this.#copies].flatMap(([cluster, copies]): AggregatedStatusItem[] => {
        const copy = copies.get(name)
        if (!copy || !expected.has(cluster)) return []
        if (this.#lost.has(cluster))
          return status?.aggregatedStatus?.filter((item) => item.clusterName === cluster) ?? []
        const { replicas, ready } = copy
        const silent = this.silent.get(`${cluster}/${name}`)
        if (silent === 'missing') return []
        if (silent) return [{ clusterName: cluster, appliedMessage: 'timed out', health: 'Unknown' }]
        return [
          {
            clusterName: cluster,
            applied: true,
            health: ready === replicas ? 'Healthy' : 'Unhealthy',
            status: { replicas, readyReplicas: ready },
          },
        ]
      })
      this.#write(key, { status: { aggregatedStatus } })
      const ready = this.readyOf(name)
      this.lowest.set(name, Math.min(this.lowest.get(name) ?? ready, ready))
    }
  }

  /** Returns the replicas that are really ready, whatever is reported. */
  readyOf(name: string): number {
    return [...this.#copies].reduce(
      (sum, [cluster, copies]) => sum + (this.#lost.has(cluster) ? 0 : (copies.get(name)?.ready ?? 0)),
      0,
    )
  }

  #decide(name: string): void {
    const plan = this.plans.get(name)!
    const decision = plan.status.startedAt === undefined ? this.#approve(name) : this.#step(name)
    for (const {
      act,
      details: { workload, patch },
    } of decision.steps) {
      this.#write(workloadKey(workload), patch)
      this.say(`  ${act} ${workload.name}`)
    }
    if (this.losesStatus(decision.status)) return this.say(`the status of ${name} is not written`)
    this.plans.set(name, { ...plan, status: decision.status })
    for (const entry of decision.status.workloads ?? []) this.#remember(name, entry)
    for (const { type, code, text } of decision.news)
      this.say(`${type === 'Warning' ? '! ' : ''}${code}: ${english.of(text)}`)
  }

  #subject(name: string): {
    name: string
    uid: string
    generation: number
    spec: RebalancePlanSpec
    status: RebalancePlanStatus
  } {
    return { name, uid: `uid-${name}`, ...this.plans.get(name)! }
  }

  #approve(name: string): RunDecision {
    const { profile, ...rest } = this.options
    void rest
    const { spec } = this.plans.get(name)!
    const bindings = [...this.bindings.values()]
    return decideApproval({
      plan: this.#subject(name),
      bindings,
      clusters: this.clusters(),
      now: this.now,
      english: english.of,
      ...(profile && { profile }),
      restorations: this.#restorations(spec),
    })
  }

  #restorations({ restore, undoOf }: RebalancePlanSpec): readonly Restoration[] | undefined {
    if (restore) return restore
    const entries = undoOf === undefined ? [] : (this.plans.get(undoOf)?.status.workloads ?? [])
    const touched = entries.filter(({ triggeredAt }) => triggeredAt)
    return touched.length > 0 ? touched.map(({ workload, before = [] }) => ({ workload, clusters: before })) : undefined
  }

  #step(name: string): RunDecision {
    const { profile, pace } = this.options
    const all = [
      ...[...this.#since].map(([key, { stage, at }]) => [sinceKey(key, stage), at] as const),
      ...[...this.#unknownSince].map(([key, at]) => [sinceKey(key, READY_UNKNOWN), at] as const),
    ]
    const since = new Map(
      all.flatMap(([key, at]) => (key.startsWith(`${name}|`) ? [[key.slice(name.length + 1), at] as const] : [])),
    )
    return decideNextStep({
      plan: this.#subject(name),
      bindings: this.bindings,
      clusters: this.clusters(),
      now: this.now,
      english: english.of,
      since,
      ...(profile && { profile }),
      ...(pace && { pace }),
    })
  }

  #remember(plan: string, entry: PlannedWorkload): void {
    const { workload, stage } = entry
    const key = `${plan}|${workloadKey(workload)}`
    const known = this.#since.get(key)
    if (!known || (known.stage !== stage && stage !== 'Failed')) this.#since.set(key, { stage, at: this.now })
    if (!isReadyUnknown(entry)) this.#unknownSince.delete(key)
    else if (!this.#unknownSince.has(key)) this.#unknownSince.set(key, this.now)
  }

  #time(): string {
    return `t+${String(this.#tick).padStart(3, '0')}`
  }

  /** Records one line with the visible state when it changed. */
  #show(): void {
    const copies = [...this.bindings.values()].map(
      ({
        spec: {
          resource: { name },
        },
      }) => {
        const where = [...this.#copies].flatMap(([cluster, list]) => {
          const copy = list.get(name)
          return copy ? [`${cluster} ${copy.ready}/${copy.replicas}`] : []
        })
        return `${name} [${where.join(', ')}] ready ${this.readyOf(name)}`
      },
    )
    const plans = [...this.plans]
      .filter(([, { status }]) => !isFinal(status.phase))
      .map(
        ([name, { status }]) =>
          `${name} ${status.phase ?? '-'} ${(status.workloads ?? []).map((entry) => `${entry.workload.name}=${entry.stage}`).join(' ')}`,
      )
    const text = [...copies, ...plans].join(' | ')
    if (text !== this.#last) this.say(text)
    this.#last = text
  }

  /** Returns how a plan ended. */
  summary(name: string): string[] {
    const { status } = this.plans.get(name)!
    const progress = status.conditions?.find(({ type }) => type === 'Progressing')
    return [
      `${name}: ${status.phase ?? '-'} ${status.progress ?? ''} — ${progress?.reason ?? ''}: ${progress?.message ?? ''}`,
      ...(status.workloads ?? []).map(
        (entry) =>
          `  ${entry.workload.name}: ${entry.stage}, ${english.of(clustersInWords(entry.before))} → ${english.of(clustersInWords(entry.actual ?? entry.predicted))}, `
          + `lowest ready ${entry.readyLowest ?? '-'} of at least ${entry.readyFloor ?? '-'} (${entry.message ?? ''})`,
      ),
      ...(status.prediction ? [`  prediction: ${status.prediction.error} replicas elsewhere`] : []),
    ]
  }
}
