import { assessEvictionTasks } from '@/lib/domain/eviction'
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import { writeTasks } from './act'
import { type EvictionRules, observe } from './observe'

export async function reconcile(
  context: ReconcilerContext,
  key: ObjectKey,
  rules: EvictionRules,
): Promise<ReconcileResult> {
  const observed = observe(context, key, rules)
  if (!observed) return
  const plan = assessEvictionTasks(observed.snapshot)
  if (plan.changed) await writeTasks(context, observed.binding, plan)
  if (plan.graceEndsAt !== undefined) return { requeueAfterMs: plan.graceEndsAt - context.clock.now() + BOUNDARY_MS }
}

/** A grace is over strictly after its end, so the look at exactly the end would be one too early. */
const BOUNDARY_MS = 1
