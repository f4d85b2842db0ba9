/** What people do to a failover or a cluster: first what it would do, then one write, if nothing changed meanwhile. */
import { explainInaction, type FailoverSettings } from '@/lib/domain/failover'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { FailoverActBody, FailoverOrder } from '@/lib/view/actions'
import type { FailoverPlanView, InactionsView } from '@/lib/view/failover-model'
import { planClusterAct, planWorkloadAct, type PlanWorld } from '@/lib/view/project/failover-plan'
import { groupInactions, projectInaction } from '@/lib/view/project/inaction'
import { refuse } from '../http/refusal'
import { idOf } from '../world/world'
import { type CreateDeps, FIELD_MANAGER, OUTDATED } from './create-rebalancer'
import { refuseUnlessCurrent } from './plan-rebalance'

export interface FailoverDeps extends CreateDeps {
  failover?: FailoverSettings | undefined
}

/** POST /api/failover/plan. */
export function planFailoverAct(deps: FailoverDeps, order: FailoverOrder): FailoverPlanView {
  const { world, clock, profile, failover: settings, about: { user } } = deps
  refuseUnlessCurrent(world)
  const seen: PlanWorld = { clusters: world.clusters.list(), bindings: world.bindings(), now: clock.now(), profile, settings, user }
  const plan = 'workload' in order ? planWorkloadAct(order, bindingOf(deps, order.workload), seen) : planClusterAct(order, clusterOf(deps, order.cluster), seen)
  if ('refused' in plan) throw refuse(409, 'NothingToDo', plan.refused)
  return plan
}

/** POST /api/failover/act. Nothing is written when the object changed since the plan; the answer then carries the new one. */
export async function actOnFailover(deps: FailoverDeps, { order, base }: FailoverActBody): Promise<{ asked: true }> {
  const plan = planFailoverAct(deps, order)
  if (plan.base !== base) throw refuse(409, 'PlanOutdated', OUTDATED, { plan })
  try {
    await write(deps, plan)
  } catch (error) {
    if (await isUnchanged(deps, plan)) throw error
    throw refuse(409, 'PlanOutdated', OUTDATED, { plan: planFailoverAct(deps, order) })
  }
  return { asked: true }
}

/** A patch that is refused says not always why: whether its test failed is seen from the object. */
async function isUnchanged({ client }: FailoverDeps, { object: { kind, namespace, name }, patch }: FailoverPlanView): Promise<boolean> {
  const { metadata } = kind === 'Cluster' ? await client.get(clusterKind, { name })
    : namespace === undefined ? await client.get(clusterResourceBinding, { name }) : await client.get(resourceBinding, { namespace, name })
  return patch.every(({ op, value }) => op !== 'test' || value === metadata.generation)
}

async function write({ client }: FailoverDeps, { object: { kind, namespace, name }, patch: operations }: FailoverPlanView): Promise<void> {
  const patch = { type: 'json' as const, operations }
  const options = { fieldManager: FIELD_MANAGER }
  if (kind === 'Cluster') await client.patch(clusterKind, { name }, patch, options)
  else if (namespace === undefined) await client.patch(clusterResourceBinding, { name }, patch, options)
  else await client.patch(resourceBinding, { namespace, name }, patch, options)
}

/** GET /api/failover/why?cluster=: why workloads of a cluster are still there, the most frequent reasons first. */
export function whyNothing({ world, clock, failover: settings }: FailoverDeps, cluster: string): InactionsView {
  const facts = { clusters: world.clusters.list(), now: clock.now(), ...(settings && { settings }) }
  const workloads = world.bindingsIn(cluster).map((binding) => ({
    id: idOf(binding),
    inactions: explainInaction(binding, { ...facts, policies: world.policiesOf(binding) }).filter((each) => each.cluster === cluster).map(projectInaction),
  }))
  return { cluster, reasons: groupInactions(workloads) }
}

function bindingOf({ world }: FailoverDeps, id: string) {
  const binding = world.bindingOf(id)
  if (!binding) throw refuse(404, 'NotFound', 'There is no such workload any more.', { field: 'workload' })
  return binding
}

function clusterOf({ world }: FailoverDeps, name: string) {
  const cluster = world.clusters.get(name)
  if (!cluster) throw refuse(404, 'NotFound', `No cluster ${name} is registered. Choose another one.`, { field: 'cluster' })
  return cluster
}
