/** Which single clusters could fail without loss: the what-if of each, computed on request, one cluster at a time. */
import { whatIf, type WhatIfOutcome } from '@/lib/domain/rebalance/what-if'
import { totalReplicas } from '@/lib/domain/rebalance/readiness'
import { formatTime } from '@/lib/std/clock'
import type { LossSurveyView } from '@/lib/view/rebalance-model'
import { type AnyBinding, strategyOf } from '@/lib/view/project/binding-facts'
import { readinessOf } from '@/lib/view/project/cluster'
import { workloadId } from '@/lib/view/workload-id'
import type { Scope } from '../access/access'
import { idOf } from '../cache/control-plane-cache'
import type { ApiDeps } from './api-deps'
import { refuseUnlessCurrent } from './plan-rebalance'

/** A survey that is older is made again when it is asked for. */
const FRESH_MS = 15_000
/** At most this part of the time goes into it. */
const MOST_OF_THE_TIME = 1 / 10
/** One turn, in milliseconds of work; requests are answered between turns. */
const TURN_MS = 8
/** Larger fleets are surveyed when a user asks for it: one cluster of 1,500 workloads takes some hundred milliseconds. */
const LARGEST_UNASKED = 300
/** Workloads of a cluster that are named. */
const MOST_NAMED = 5

interface Outcome {
  id: string
  name: string
  replicas: number
  /** Nothing of it runs, or fewer replicas than its policy divides. */
  isLost: boolean
  lostReplicas: number
}

interface Survey {
  begunAt: number
  outcomes: ReadonlyMap<string, readonly Outcome[]>
}

export class LossSurvey {
  #last: Survey | undefined
  #running: { names: string[]; survey: Survey & { outcomes: Map<string, readonly Outcome[]> } } | undefined

  constructor(private readonly deps: ApiDeps) {}

  /** The latest survey as the reader may see it. A new one starts where it is old, in a large fleet when it is ordered. */
  view(scope: Scope, start: boolean): LossSurveyView {
    const { cache, clock, views } = this.deps
    refuseUnlessCurrent(cache)
    const reader = views.models.of(scope)
    const isOld = this.#last === undefined || clock.now() - this.#last.begunAt > FRESH_MS
    const isLarge = cache.bindings().length > LARGEST_UNASKED
    if (this.#running === undefined && isOld && (start || !isLarge)) this.#begin()
    const survey = this.#running?.survey ?? this.#last
    const seen = [...(survey?.outcomes ?? [])].filter(([cluster]) => reader.cluster(cluster) !== undefined)
    return {
      total: this.#running?.names.length ?? this.#last?.outcomes.size ?? cache.clusters.list().length,
      ...(survey && { computedAt: formatTime(survey.begunAt) }),
      ...(isLarge && { onDemand: true }),
      clusters: seen.map(([cluster, outcomes]) =>
        lossOf(
          cluster,
          outcomes.filter(({ id }) => reader.seesWorkload(id)),
        ),
      ),
    }
  }

  #begin(): void {
    const { cache, clock } = this.deps
    const names = cache.clusters
      .list()
      .filter((cluster) => readinessOf(cluster) === 'True')
      .map(({ metadata }) => metadata.name)
    this.#running = { names, survey: { begunAt: clock.now(), outcomes: new Map() } }
    // A small fleet has its answer at once.
    this.#work()
  }

  /** One turn; the pause after it is in proportion to what it took. */
  #work(): void {
    const { clock, cache } = this.deps
    const begun = clock.elapsed()
    while (this.#running !== undefined) {
      const { names, survey } = this.#running
      const name = names[survey.outcomes.size]
      if (name === undefined) this.#last = survey
      if (name === undefined || !cache.hasSynced()) {
        this.#running = undefined
        return
      }
      survey.outcomes.set(name, this.#without(name))
      const took = clock.elapsed() - begun
      if (took >= TURN_MS) return void clock.after(took / MOST_OF_THE_TIME, () => this.#work())
    }
  }

  #without(cluster: string): Outcome[] {
    const { cache, clock, profile, failover } = this.deps
    const bindings = cache.bindings()
    const divided = new Set(bindings.filter(isDivided).map(idOf))
    const { targets } = whatIf({
      cluster,
      cause: 'fails',
      bindings,
      clusters: cache.clusters.list(),
      now: clock.now(),
      ...(profile && { profile }),
      ...(failover?.timing && { timing: failover.timing }),
    })
    return targets.map(({ workload, outcome, replicas, before, after }) => {
      const { apiVersion, kind, namespace, name } = workload
      const id = workloadId({ apiVersion, kind, ...(namespace && { namespace }), name })
      const isLost = LOST.has(outcome) || (outcome === 'shrinks' && divided.has(id))
      const missing = outcome === 'shrinks' ? Math.max(0, totalReplicas(before) - totalReplicas(after)) : replicas
      return { id, name, replicas, isLost, lostReplicas: isLost ? missing : 0 }
    })
  }
}

/** Without a place; what tolerates the failure stays with the cluster. */
const LOST: ReadonlySet<WhatIfOutcome> = new Set(['stuck', 'lost', 'stays'])

/** A copy in each cluster is lost with its cluster, as its policy says. */
function isDivided(binding: AnyBinding): boolean {
  const strategy = strategyOf(binding)
  return strategy !== 'Duplicated' && strategy !== 'NotDivided'
}

function lossOf(cluster: string, outcomes: readonly Outcome[]): LossSurveyView['clusters'][number] {
  const lost = outcomes.filter(({ isLost }) => isLost)
  return {
    cluster,
    workloads: outcomes.length,
    replicas: outcomes.reduce((sum, { replicas }) => sum + replicas, 0),
    lostWorkloads: lost.length,
    lostReplicas: lost.reduce((sum, { lostReplicas }) => sum + lostReplicas, 0),
    names: lost.slice(0, MOST_NAMED).map(({ name }) => name),
  }
}
