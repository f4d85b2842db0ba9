/** Questions about what would be. They are answered on the present caches and change nothing. */
import { suggestFailback } from '@/lib/domain/rebalance/failback'
import { whatIf } from '@/lib/domain/rebalance/what-if'
import { message } from '@/lib/messages/message'
import type { WhatIfBody } from '@/lib/view/actions'
import type { FailbackView, WhatIfTargetView, WhatIfView } from '@/lib/view/rebalance-model'
import { projectFailback, projectWhatIf } from '@/lib/view/project/what-if'
import type { Scope } from '../access/access'
import { CLUSTERS, seesAllWorkloads, seesWorkload } from '../access/resources'
import { refuse } from '../http/refusal'
import { idOf } from '../cache/control-plane-cache'
import type { ApiDeps } from './api-deps'
import { refuseUnlessCurrent } from './plan-rebalance'

/** Decided with all workloads, for they take room from each other; told of those that the scope sees. */
export function whatIfWithout(
  { cache, clock, profile, failover }: ApiDeps,
  { cluster, cause }: WhatIfBody,
  scope: Scope,
): WhatIfView {
  refuseUnlessCurrent(cache)
  if (!scope.sees(CLUSTERS) || !cache.clusters.get(cluster)) {
    throw refuse(404, 'NotFound', message('rebalance.problem.noCluster', { cluster }), { field: 'cluster' })
  }
  const facts = {
    cluster,
    cause,
    bindings: cache.bindings(),
    clusters: cache.clusters.list(),
    now: clock.now(),
    ...(profile && { profile }),
    ...(failover?.timing && { timing: failover.timing }),
  }
  const view = projectWhatIf({ cluster, cause, whatIf: whatIf(facts) })
  return seesAllWorkloads(scope)
    ? view
    : restrict(
        view,
        view.targets.filter(({ id }) => seesWorkload(scope, id)),
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
export function suggestFailbacks({ cache, clock, profile }: ApiDeps, scope: Scope): FailbackView[] {
  refuseUnlessCurrent(cache)
  const bindings = cache.bindings().filter((binding) => seesWorkload(scope, idOf(binding)))
  const clusters = scope.sees(CLUSTERS) ? cache.clusters.list() : []
  return suggestFailback({ bindings, clusters, now: clock.now(), ...(profile && { profile }) }).map(projectFailback)
}
