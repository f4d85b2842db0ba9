import {
  type ApplicationPlan,
  type ApplicationSnapshot,
  assessApplication,
  blockedPredecessors,
  type EvictionGates,
  type FailoverProfile,
  type HealthRecord,
  lackOfSuccessor,
} from '@/lib/domain/failover'
import { cluster as clusterKind } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcileResult } from '@/server/runtime/controller'
import { findBinding } from '../shared/binding-kinds'
import { forgetRecord, writePlan } from './act'
import { observe } from './observe'
import { emitNotEvicted, reportUnpreserved } from './reasons'
import type { InterpreterContext } from '../shared/interpreter'

/** Shared by all reconciles of one controller. */
export interface FailoverPass {
  profile: FailoverProfile
  gates: EvictionGates
  /** The latest record of each binding, because the cache may be behind the last write. */
  records: Map<ObjectKey, HealthRecord>
}

/** Delay before a task that could not be built is tried again. */
const RETRY_MS = 10_000

/** 1. Assess. 2. Record. 3. Evict. 4. Remove expired history. 5. Requeue. */
export async function reconcile(
  context: InterpreterContext,
  key: ObjectKey,
  pass: FailoverPass,
): Promise<ReconcileResult> {
  const snapshot = observe(context, key, pass.records.get(key))
  if (!snapshot) return forget(context, key, pass)
  const now = context.clock.now()
  const plan = decide(context, { now, profile: pass.profile, gates: pass.gates, ...snapshot })
  pass.records.set(key, plan.record)
  await writePlan(context, { ...snapshot, plan, now, history: pass.profile.history })
  for (const text of plan.unpreserved ?? []) reportUnpreserved(context, snapshot.binding, text)
  if (plan.error !== undefined) emitNotEvicted(context, snapshot.binding, plan.error)
  return nextLook(context, key, plan)
}

/** Simulates scheduling before replicas are deleted, to check whether a cluster could take the workload. */
function decide({ informers }: InterpreterContext, snapshot: ApplicationSnapshot): ApplicationPlan {
  const plan = assessApplication(snapshot)
  if (!plan.spec || !snapshot.profile.keepWithoutSuccessor || snapshot.rule.purgeMode !== 'Directly') return plan
  const { binding, now } = snapshot
  const lack = lackOfSuccessor(binding, plan.spec, { clusters: informers.of(clusterKind).list(), now })
  return lack === undefined ? plan : assessApplication({ ...snapshot, lackOfSuccessor: lack })
}

/** Removes the record of a binding that is no longer assessed. */
async function forget(context: InterpreterContext, key: ObjectKey, { records }: FailoverPass): Promise<void> {
  records.delete(key)
  const binding = findBinding(context.informers, key)
  if (binding && !binding.metadata.deletionTimestamp) await forgetRecord(context, binding)
}

function nextLook({ clock, informers }: InterpreterContext, key: ObjectKey, plan: ApplicationPlan): ReconcileResult {
  const binding = findBinding(informers, key)
  const now = clock.now()
  const waits = [
    ...(plan.requeueAfterMs === undefined ? [] : [plan.requeueAfterMs]),
    ...(plan.error === undefined ? [] : [RETRY_MS]),
    ...(binding ? blockedPredecessors(binding).map(({ until }) => until - now) : []),
  ].filter((waitMs) => waitMs > 0 && waitMs < Infinity)
  if (waits.length > 0) return { requeueAfterMs: Math.min(...waits) }
}
