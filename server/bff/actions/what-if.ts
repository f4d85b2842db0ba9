/** What-if questions, answered on the current caches. Nothing is changed. */
import { suggestFailback } from '@/lib/domain/rebalance/failback'
import { editedPlacement } from '@/lib/domain/rebalance/edited-placement'
import { newCluster, type Premise, premised } from '@/lib/domain/rebalance/premise'
import { whatIf } from '@/lib/domain/rebalance/what-if'
import { checkPlacement } from '@/lib/kube/admission/check-placement'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
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

/** Computes with all workloads, because they compete for capacity; reports only those in the scope. */
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
  const clustersThen = [...cache.clusters.list(), ...newClusters(body, reader)]
  const fleet = { bindings: cache.bindings(), clusters: clustersThen, ...(profile && { profile }) }
  const premise = {
    ...premiseOf(body, reader),
    placements: placementsOf(body, { reader, clusters: clustersThen, cache }),
  }
  const { bindings, clusters, clustersBefore, rescaled } = premised(fleet, premise)
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
  const view = reader.seesAllWorkloads ? whole : restrict(whole, (id) => reader.seesWorkload(id))
  const moves = movesOf(view).map((move) => ({ ...move, isOver: false }))
  const load = projectLoad({ targets: moves, bindingOf: (id) => reader.binding(id), clusters: clustersBefore, now })
  return { ...view, load }
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

type Added = NonNullable<WhatIfBody['added']>[number]

function newClusters({ added = [] }: WhatIfBody, reader: ReadModel): Cluster[] {
  const clusterFor = ({ name, like }: Added): Cluster => {
    const model = reader.cluster(like)
    if (!model)
      throw refuse(404, 'NotFound', message('rebalance.problem.noCluster', { cluster: like }), { field: 'added' })
    if (!reader.cluster(name)) return newCluster(model, name)
    throw refuse(409, 'AlreadyExists', message('rebalance.problem.clusterExists', { cluster: name }), {
      field: 'added',
    })
  }
  return added.map(clusterFor)
}

interface Known extends Pick<ApiDeps, 'cache'> {
  reader: ReadModel
  clusters: readonly Cluster[]
}

/** The edited placements by binding: also of workloads that the reader may not view, for they take room from the others. */
function placementsOf({ policies = [] }: WhatIfBody, { reader, clusters, cache }: Known): Premise['placements'] {
  const edited = new Map<string, Placement>()
  for (const given of policies) {
    const { policy } = given
    const known = reader.policy(policy)
    if (!known) throw refuse(404, 'NotFound', message('rebalance.problem.noPolicy', { policy }), IN_POLICIES)
    const before = edited.get(policy) ?? known.spec.placement ?? {}
    edited.set(policy, 'placement' in given ? wholePlacement(given) : placementAfter(given, before, clusters))
  }
  return new Map(
    [...edited].flatMap(([policy, placement]) =>
      cache.bindingsOfPolicy(policy).map((binding) => [binding, placement] as const),
    ),
  )
}

type EditedPolicy = NonNullable<WhatIfBody['policies']>[number]

const IN_POLICIES = { field: 'policies' }

/** The placement that stands in place of that of the policy. */
function wholePlacement({ policy, placement }: Extract<EditedPolicy, { placement: unknown }>): Placement {
  const checked = checkPlacement(placement)
  if ('placement' in checked) return checked.placement
  const { error } = checked
  throw refuse(422, 'Invalid', message('rebalance.problem.invalidPlacement', { policy, error }), IN_POLICIES)
}

function placementAfter(
  { policy, edit, cluster: name }: Extract<EditedPolicy, { edit: unknown }>,
  before: Placement,
  clusters: readonly Cluster[],
): Placement {
  const cluster = clusters.find(({ metadata }) => metadata.name === name)
  if (!cluster) throw refuse(404, 'NotFound', message('rebalance.problem.noCluster', { cluster: name }), IN_POLICIES)
  const placement = editedPlacement(before, edit, cluster)
  if (placement) return placement
  throw refuse(422, 'Invalid', message(NO_EDIT[edit], { policy, cluster: name }), IN_POLICIES)
}

const NO_EDIT = { allow: 'rebalance.problem.noAllow', exclude: 'rebalance.problem.noExclude' } as const

/** The same with these workloads alone; free capacity is that of the clusters for all workloads. */
function restrict(view: WithoutLoad, sees: (workload: string) => boolean): WithoutLoad {
  const targets = view.targets.filter(({ id }) => sees(id))
  const count = (wanted: WhatIfTargetView['outcome']): number =>
    targets.filter(({ outcome }) => outcome === wanted).length
  return {
    ...view,
    targets,
    rescaled: view.rescaled.filter(({ id }) => sees(id)),
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

/** Suggests failbacks of the workloads in the scope. */
export function suggestFailbacks({ cache, views, clock, profile }: ApiDeps, scope: Scope): FailbackView[] {
  refuseUnlessCurrent(cache)
  const reader = views.models.of(scope)
  const [bindings, clusters] = [reader.bindings(), reader.clusters()]
  return suggestFailback({ bindings, clusters, now: clock.now(), ...(profile && { profile }) }).map(projectFailback)
}
