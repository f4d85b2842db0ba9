/** Questions about what would be. They are answered on the present caches and change nothing. */
import { suggestFailback } from '@/lib/domain/rebalance/failback'
import { whatIf } from '@/lib/domain/rebalance/what-if'
import type { WhatIfBody } from '@/lib/view/actions'
import type { FailbackView, WhatIfView } from '@/lib/view/rebalance-model'
import { projectFailback, projectWhatIf } from '@/lib/view/project/what-if'
import { refuse } from '../http/refusal'
import { type PlanDeps, refuseUnlessCurrent } from './plan-rebalance'

/** POST /api/what-if. */
export function whatIfAction({ world, clock, profile }: PlanDeps, { cluster, cause }: WhatIfBody): WhatIfView {
  refuseUnlessCurrent(world)
  if (!world.clusters.get(cluster)) throw refuse(404, 'NotFound', `No cluster ${cluster} is registered. Choose another one.`, { field: 'cluster' })
  const facts = { cluster, cause, bindings: world.bindings(), clusters: world.clusters.list(), now: clock.now(), ...(profile && { profile }) }
  return projectWhatIf({ cluster, cause, whatIf: whatIf(facts) })
}

/** GET /api/failback. */
export function failbackAction({ world, clock, profile }: PlanDeps): FailbackView[] {
  refuseUnlessCurrent(world)
  const facts = { bindings: world.bindings(), clusters: world.clusters.list(), now: clock.now(), ...(profile && { profile }) }
  return suggestFailback(facts).map(projectFailback)
}
