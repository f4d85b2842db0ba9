/** Questions about what would be. They are answered on the present caches and change nothing. */
import { suggestFailback } from '@/lib/domain/rebalance/failback'
import { type Premise, premised } from '@/lib/domain/rebalance/premise'
import { whatIf } from '@/lib/domain/rebalance/what-if'
import { message } from '@/lib/messages/message'
import type { WhatIfBody } from '@/lib/view/actions'
import type { FailbackView, WhatIfTargetView, WhatIfView } from '@/lib/view/rebalance-model'
import { projectLoad } from '@/lib/view/project/plan-load'
import { movesOf, projectFailback, projectWhatIf, type WithoutLoad } from '@/lib/view/project/what-if'
import { nameOfId } from '@/lib/view/workload-id'
import type { Scope } from '../access/access'
import { refuse } from '../http/refusal'
import type { ReadModel } from '../read-model/read-model'
import type { ApiDeps } from './api-deps'
import { refuseUnlessCurrent } from './plan-rebalance'

/** Decided with all workloads, for they take room from each other; told of those that the scope sees. */
export function whatIfWithout(
  { cache, views, clock, profile, failover }: ApiDeps,
  body: WhatIfBody,
  scope: Scope,
): WhatIfView {
  refuseUnlessCurrent(cache)
  const reader = views.models.of(scope)
  const { cluster, others = [], cause } = body
  refuseUnknownClusters(body, reader)
  const now = clock.now()
  const fleet = { bindings: cache.bindings(), clusters: cache.clusters.list(), ...(profile && { profile }) }
  const { bindings, clusters, rescaled } = premised(fleet, premiseOf(body, reader))
  const facts = {
    ...fleet,
    cluster,
    others,
    cause,
    bindings,
    clusters,
    now,
    ...(failover?.timing && { timing: failover.timing }),
  }
  const whole = projectWhatIf({ cluster, others, cause, whatIf: whatIf(facts), rescaled })
  const view = reader.seesAllWorkloads
    ? whole
    : restrict(
        whole,
        whole.targets.filter(({ id }) => reader.seesWorkload(id)),
      )
  const moves = movesOf(view).map((move) => ({ ...move, isOver: false }))
  return { ...view, load: projectLoad({ targets: moves, bindingOf: (id) => reader.binding(id), clusters, now }) }
}

function refuseUnknownClusters({ cluster, others = [], capacity = [] }: WhatIfBody, reader: ReadModel): void {
  const named = { cluster: [cluster], others, capacity: capacity.map((one) => one.cluster) }
  for (const [field, names] of Object.entries(named)) {
    const unknown = names.find((name) => !reader.cluster(name))
    if (unknown !== undefined)
      throw refuse(404, 'NotFound', message('rebalance.problem.noCluster', { cluster: unknown }), { field })
  }
}

function premiseOf({ capacity = [], replicas = [] }: WhatIfBody, reader: ReadModel): Premise {
  return {
    capacity: new Map(capacity.map(({ cluster, percent }) => [cluster, percent])),
    replicas: new Map(
      replicas.map(({ workload, replicas: wanted }) => {
        const binding = reader.binding(workload)
        if (binding) return [binding, wanted]
        throw refuse(404, 'NotFound', message('rebalance.problem.noWorkload', { workload: nameOfId(workload) }), {
          field: 'replicas',
        })
      }),
    ),
  }
}

/** The same with these targets alone; free capacity is that of the clusters for all workloads. */
function restrict(view: WithoutLoad, targets: WhatIfTargetView[]): WithoutLoad {
  const count = (wanted: WhatIfTargetView['outcome']): number =>
    targets.filter(({ outcome }) => outcome === wanted).length
  return {
    ...view,
    targets,
    counts: {
      moves: count('moves'),
      shrinks: count('shrinks'),
      stuck: count('stuck'),
      lost: count('lost'),
      stays: count('stays'),
    },
    open: targets.filter(({ isOpen }) => isOpen).length,
    withoutFailoverPolicy: targets.filter(({ hasFailoverPolicy }) => !hasFailoverPolicy).length,
    replicasMoved: targets
      .filter(({ outcome }) => outcome === 'moves')
      .reduce((sum, { replicas }) => sum + replicas, 0),
  }
}

/** Of the workloads that the scope sees. */
export function suggestFailbacks({ cache, views, clock, profile }: ApiDeps, scope: Scope): FailbackView[] {
  refuseUnlessCurrent(cache)
  const reader = views.models.of(scope)
  const [bindings, clusters] = [reader.bindings(), reader.clusters()]
  return suggestFailback({ bindings, clusters, now: clock.now(), ...(profile && { profile }) }).map(projectFailback)
}
