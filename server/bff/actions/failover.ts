/** Actions on failovers and clusters: a preview first, then one write if nothing changed meanwhile. */
import { blockersOf } from '@/lib/domain/failover'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { KubeObject, ObjectRef } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import type { FailoverActionBody, FailoverOrder } from '@/lib/view/actions'
import type { FailoverPlanView, ClusterBlockersView } from '@/lib/view/failover-model'
import type { BlockerView } from '@/lib/view/model'
import { failoverNeeds } from '@/lib/view/needs'
import { planClusterAction, planWorkloadAction, type PlanSnapshot } from '@/lib/view/project/failover-plan'
import { groupBlockers, projectBlocker } from '@/lib/view/project/blockers'
import { EventLoopTurns, type Turns } from '@/server/runtime/turns'
import type { Question, Scope } from '../access/access'
import type { EndpointCall } from '../http/endpoint'
import { changeObject } from '../http/precondition'
import { refuse } from '../http/refusal'
import { idOf } from '../cache/control-plane-cache'
import type { ReadModel } from '../read-model/read-model'
import type { ApiDeps } from './api-deps'
import { FIELD_MANAGER } from './create-rebalancer'
import { type Planner, refuseUnlessCurrent } from './plan-rebalance'

/** Previews an action. Objects that the caller may not see are treated as missing. */
export function planFailoverAction(deps: ApiDeps, order: FailoverOrder, { scope, user }: Planner): FailoverPlanView {
  const { cache, views, clock, profile, failover: settings } = deps
  refuseUnlessCurrent(cache)
  const reader = views.models.of(scope)
  const seen: PlanSnapshot = {
    clusters: cache.clusters.list(),
    bindings: cache.bindings(),
    now: clock.now(),
    profile,
    settings,
    user,
    ...(!reader.seesAllWorkloads && { sees: (id: string) => reader.seesWorkload(id) }),
  }
  const plan =
    'workload' in order
      ? planWorkloadAction(order, bindingOf(reader, order.workload), seen)
      : planClusterAction(order, clusterOf(reader, order.cluster), seen)
  if ('refused' in plan) throw refuse(409, 'NothingToDo', plan.refused)
  return plan
}

/**
 * Returns the rights that an action requires: reading and patching its one object. The refusal names that object, so
 * for a binding that the caller may not see, the name is derived.
 */
export function rightsFor({ views }: ApiDeps, order: FailoverOrder, scope: Scope | undefined): Question[] {
  const seen = 'workload' in order && scope ? views.models.of(scope).binding(order.workload) : undefined
  return failoverNeeds(order, seen?.metadata.name)
}

/** Writes nothing when the object changed since the plan; the response then carries the new plan. */
export async function runFailoverAction(
  deps: ApiDeps,
  call: EndpointCall<FailoverActionBody>,
  planner: Planner,
): Promise<{ asked: true }> {
  const { order, base } = call.body
  const plan = planFailoverAction(deps, order, planner)
  if (plan.base !== base) throw refuse(409, 'PlanOutdated', message('failover.planRenewed'), { plan })
  const {
    object: { kind, namespace, name },
  } = plan
  const of = kind === 'Cluster' ? clusterKind : namespace === undefined ? clusterResourceBinding : resourceBinding
  await write(call, plan, {
    kind: of as unknown as Kind,
    ref: { ...(namespace !== undefined && { namespace }), name },
  }).catch((error: unknown) => {
    if (error instanceof Outdated) {
      throw refuse(409, 'PlanOutdated', message('failover.planRenewed'), {
        plan: planFailoverAction(deps, order, planner),
      })
    }
    throw error
  })
  return { asked: true }
}

/** The object changed since the plan was made. */
class Outdated extends Error {
  override readonly name = 'Outdated'
}

async function write(
  call: EndpointCall<FailoverActionBody>,
  { patch: operations }: FailoverPlanView,
  { kind, ref }: { kind: Kind; ref: ObjectRef },
): Promise<void> {
  const { client } = call.principal
  await changeObject(call, { kind, ref }, async ({ object }) => {
    const {
      metadata: { uid },
      spec,
    } = object as KubeObject & { spec: Record<string, unknown> }
    const about = {
      object: { apiVersion: apiVersionOf(kind), kind: kind.kind, ...ref, uid },
      before: spec,
      summary: message(`failover.action.${call.body.order.action}`, { cluster: call.body.order.cluster }),
    }
    call.concerns(about)
    try {
      await client.patch(kind, ref, { type: 'json', operations }, { fieldManager: FIELD_MANAGER })
    } catch (error) {
      // The error of a refused patch does not always say why; the object shows whether the `test` operation failed.
      const { generation } = (await client.get(kind, ref)).metadata
      throw operations.every(({ op, value }) => op !== 'test' || value === generation) ? error : new Outdated()
    }
    call.concerns({ ...about, after: { ...spec, ...writtenBy(operations) } })
  })
}

/** Returns the fields of the spec that a patch writes. */
function writtenBy(operations: FailoverPlanView['patch']): Record<string, unknown> {
  return Object.fromEntries(
    operations.flatMap(({ op, path, value }) =>
      op === 'add' && path.startsWith('/spec/') ? [[path.replace('/spec/', ''), value]] : [],
    ),
  )
}

/** One for all requests: together they leave the event loop to others as soon as one alone would. */
const sharedTurns = new EventLoopTurns()

/**
 * Counts what blocks the failover of the workloads of a cluster, most frequent reasons first; only of workloads in the
 * scope. Each workload takes a run of the scheduler, so the stream gets its turns between them: a thousand in one go
 * would delay every page that follows the failover, each time that one of them asks.
 */
export async function blockersIn(
  {
    cache,
    clock,
    views,
    failover: settings,
  }: Pick<ApiDeps, 'cache' | 'clock' | 'failover'> & { views: Pick<ApiDeps['views'], 'models'> },
  cluster: string,
  { scope, turns = sharedTurns }: { scope: Scope; turns?: Turns },
): Promise<ClusterBlockersView> {
  const reader = views.models.of(scope)
  const facts = { clusters: cache.clusters.list(), now: clock.now(), ...(settings && { settings }) }
  const workloads: { id: string; blockers: BlockerView[] }[] = []
  for (const binding of reader.bindingsIn(cluster)) {
    const turn = turns.next()
    if (turn) await turn
    const blockers = blockersOf(binding, { ...facts, policies: reader.policiesOf(binding) })
      .filter((each) => each.cluster === cluster)
      .map(projectBlocker)
    workloads.push({ id: idOf(binding), blockers })
  }
  return { cluster, reasons: groupBlockers(workloads) }
}

function bindingOf(reader: ReadModel, id: string) {
  const binding = reader.binding(id)
  if (!binding) throw refuse(404, 'NotFound', message('failover.refused.noWorkload'), { field: 'workload' })
  return binding
}

function clusterOf(reader: ReadModel, name: string) {
  const cluster = reader.cluster(name)
  if (!cluster) {
    throw refuse(404, 'NotFound', message('failover.refused.noCluster', { cluster: name }), { field: 'cluster' })
  }
  return cluster
}
