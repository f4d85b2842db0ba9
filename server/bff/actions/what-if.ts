/** Questions about what would be. They are answered on the present caches and change nothing. */
import { suggestFailback } from '@/lib/domain/rebalance/failback'
import { whatIf } from '@/lib/domain/rebalance/what-if'
import { message } from '@/lib/messages/message'
import type { WhatIfBody } from '@/lib/view/actions'
import type { FailbackView, WhatIfTargetView, WhatIfView } from '@/lib/view/rebalance-model'
import { projectFailback, projectWhatIf } from '@/lib/view/project/what-if'
import type { Scope } from '../access/access'
import { refuse } from '../http/refusal'
import type { ApiDeps } from './api-deps'
import { refuseUnlessCurrent } from './plan-rebalance'

/** Decided with all workloads, for they take room from each other; told of those that the scope sees. */
export function whatIfWithout(
  { cache, views, clock, profile, failover }: ApiDeps,
  { cluster, others = [], cause }: WhatIfBody,
  scope: Scope,
): WhatIfView {
  refuseUnlessCurrent(cache)
  const reader = views.models.of(scope)
  const unknown = [cluster, ...others].find((name) => !reader.cluster(name))
  if (unknown !== undefined) {
    const field = unknown === cluster ? 'cluster' : 'others'
    throw refuse(404, 'NotFound', message('rebalance.problem.noCluster', { cluster: unknown }), { field })
  }
  const facts = {
    cluster,
    others,
    cause,
    bindings: cache.bindings(),
    clusters: cache.clusters.list(),
    now: clock.now(),
    ...(profile && { profile }),
    ...(failover?.timing && { timing: failover.timing }),
  }
  const view = projectWhatIf({ cluster, others, cause, whatIf: whatIf(facts) })
  return reader.seesAllWorkloads
    ? view
    : restrict(
        view,
        view.targets.filter(({ id }) => reader.seesWorkload(id)),
      )
}

/** The same with these targets alone; free capacity is that of the clusters for all workloads. */
function restrict(view: WhatIfView, targets: WhatIfTargetView[]): WhatIfView {
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
