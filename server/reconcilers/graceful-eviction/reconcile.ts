import { assessEvictionTasks } from '@/lib/domain/eviction'
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import { reportKept, writeTasks } from './act'
import type { KeptReplicas } from './kept-replicas'
import { type ControllerRules, observe } from './observe'

export async function reconcile(
  context: ReconcilerContext,
  key: ObjectKey,
  { rules, kept }: { rules: ControllerRules; kept: KeptReplicas },
): Promise<ReconcileResult> {
  const observed = observe(context, key, rules)
  if (!observed) return
  const plan = assessEvictionTasks(observed.snapshot)
  if (plan.changed) await writeTasks(context, observed.binding, plan)
  const stay = new Set(plan.tasks.map(({ fromCluster }) => fromCluster))
  reportKept(
    context,
    observed.binding,
    kept.of(observed.binding).filter((cluster) => stay.has(cluster)),
  )
  kept.reported(observed.binding)
  if (plan.graceEndsAt !== undefined) return { requeueAfterMs: plan.graceEndsAt - context.clock.now() + BOUNDARY_MS }
}

/** A grace period ends strictly after its deadline, so a reconcile exactly at the deadline would be too early. */
const BOUNDARY_MS = 1
