/** Carries out RebalancePlans: preview, approval, waves, protection, undo. See README.md. */
import { readRunRecord } from '@/lib/domain/rebalance'
import { defaultProfile, type SchedulerProfile } from '@/lib/domain/placement'
import { findCondition } from '@/lib/kube/conditions'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import { rebalancePlan, type RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { clusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import type { Kind } from '@/lib/kube/kind'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { type Binding, bindingKinds } from '../shared/binding-kinds'
import { acquireTemplateKinds } from '../shared/template-kinds'
import { indexRuns } from './observe'
import { createPlanMemory, reconcilePlan } from './reconcile'

export interface RebalancePlanOptions {
  /** Profile of the responsible scheduler. Default: this product's; beside Karmada's scheduler, upstream's. */
  profile?: () => SchedulerProfile
  /** Bindings written concurrently. Default 8. */
  concurrency?: number
  /** Interval between previews of a plan that waits for approval. Default 15 s. */
  previewEveryMs?: number
}

/** Limits requests to an unavailable control plane. */
const RETRY = { baseMs: 100, maxMs: 10_000 }

export function rebalancePlanController(context: ReconcilerContext, options: RebalancePlanOptions = {}): Controller {
  const { concurrency = 8, previewEveryMs = 15_000, profile = () => defaultProfile } = options
  const settings = { concurrency, previewEveryMs, profile }
  const memory = createPlanMemory()
  indexRuns(context.informers)
  return {
    name: 'rebalance-plan',
    concurrency: 2,
    retry: RETRY,
    watches: [
      watch({ kind: rebalancePlan, relevant: isAsked }),
      ...bindingKinds.map((kind) => watch({ kind, keys: plansTouched })),
      watch({ kind: clusterKind, relevant: changesReadiness, keys: () => runningPlans(context) }),
    ],
    reads: [propagationPolicy as Kind, clusterPropagationPolicy as Kind],
    reconcile: (name) => reconcilePlan(context, name, { ...settings, memory }),
    start() {
      const lease = acquireTemplateKinds(context, 'bound')
      return () => lease.release()
    },
  }
}

/** Ignores own status writes. */
function isAsked(change: Change<RebalancePlanObject>): boolean {
  return change.type !== 'updated' || change.object.metadata.generation !== change.old.metadata.generation
}

/** Returns the plans with a record on a binding, before or after the change. */
function plansTouched(change: Change<Binding>): Set<ObjectKey> {
  const versions =
    change.type === 'updated' ? [change.old, change.object] : [change.type === 'added' ? change.object : change.old]
  return new Set(versions.flatMap((binding) => readRunRecord(binding)?.plan ?? []))
}

function changesReadiness(change: Change<Cluster>): boolean {
  return change.type !== 'updated' || readinessOf(change.old) !== readinessOf(change.object)
}

function readinessOf({ status }: Cluster): string | undefined {
  return findCondition(status?.conditions, 'Ready')?.status
}

/** Returns all plans with workloads in progress, because a cluster that is lost or recovers affects them. */
function runningPlans({ informers }: ReconcilerContext): ObjectKey[] {
  const plans = informers.of(rebalancePlan).list()
  return plans.filter(({ status }) => (status?.counts?.moving ?? 0) > 0).map(({ metadata }) => metadata.name)
}
