/** Creates plans that move workloads back to recovered clusters, according to FailbackPolicies. See README.md. */
import { FAILBACK_LABEL } from '@/lib/domain/rebalance'
import { defaultProfile, type SchedulerProfile } from '@/lib/domain/placement'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import { failbackPolicy } from '@/lib/kube/kinds/failback-policy'
import { rebalancePlan, type RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { findCondition } from '@/lib/kube/conditions'
import type { Kind } from '@/lib/kube/kind'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { bindingKinds } from '../shared/binding-kinds'
import { acquireTemplateKinds } from '../shared/template-kinds'
import { reconcileFailback } from './reconcile'

export interface FailbackOptions {
  /** Profile of the responsible scheduler. Default: this product's. */
  profile?: () => SchedulerProfile
  /** Interval between reconciles of all policies. Default 30 s. */
  everyMs?: number
}

export function failbackController(context: ReconcilerContext, options: FailbackOptions = {}): Controller {
  const { profile = () => defaultProfile, everyMs = 30_000 } = options
  const policies = (): string[] =>
    context.informers
      .of(failbackPolicy)
      .list()
      .map(({ metadata }) => metadata.name)
  return {
    name: 'failback',
    watches: [
      watch({
        kind: failbackPolicy,
        relevant: (change) =>
          change.type !== 'updated' || change.object.metadata.generation !== change.old.metadata.generation,
      }),
      watch({ kind: clusterKind, relevant: changesHealth, keys: policies }),
      watch({ kind: rebalancePlan, relevant: endsOrBegins, keys: policyOf }),
    ],
    reads: [...(bindingKinds as readonly Kind[])],
    reconcile: (name) => reconcileFailback(context, name, { profile, everyMs }),
    start() {
      const lease = acquireTemplateKinds(context, 'bound')
      return () => lease.release()
    },
  }
}

function changesHealth(change: Change<Cluster>): boolean {
  if (change.type !== 'updated') return true
  const of = ({ spec, status }: Cluster): string =>
    JSON.stringify([spec.taints, findCondition(status?.conditions, 'Ready')?.status])
  return of(change.old) !== of(change.object)
}

function endsOrBegins(change: Change<RebalancePlanObject>): boolean {
  return change.type !== 'updated' || change.old.status?.phase !== change.object.status?.phase
}

function policyOf(change: Change<RebalancePlanObject>): string[] {
  const { labels } = (change.type === 'deleted' ? change.old : change.object).metadata
  const name = labels?.[FAILBACK_LABEL]
  return name === undefined ? [] : [name]
}
