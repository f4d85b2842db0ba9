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
import { reportUnmade, reportUnpreserved } from './reasons'
import type { InterpreterContext } from '../shared/interpreter'

/** What the passes of one loop share. */
export interface FailoverPass {
  profile: FailoverProfile
  gates: EvictionGates
  /** The latest record of each binding, as the cache may be behind what was written. */
  records: Map<ObjectKey, HealthRecord>
}

/** How often a task that could not be made is tried again. */
const RETRY_MS = 10_000

/** 1. Judge. 2. Remember. 3. Evict. 4. Clear what is over from the history. 5. Say when to look again. */
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
  if (plan.error !== undefined) reportUnmade(context, snapshot.binding, plan.error)
  return nextLook(context, key, plan)
}

/** Checks whether a cluster could take the workload before its replicas are deleted. */
function decide({ informers }: InterpreterContext, snapshot: ApplicationSnapshot): ApplicationPlan {
  const plan = assessApplication(snapshot)
  if (!plan.spec || !snapshot.profile.keepWithoutSuccessor || snapshot.rule.purgeMode !== 'Directly') return plan
  const { binding, now } = snapshot
  const lack = lackOfSuccessor(binding, plan.spec, { clusters: informers.of(clusterKind).list(), now })
  return lack === undefined ? plan : assessApplication({ ...snapshot, lackOfSuccessor: lack })
}

/** What is not judged any more is not remembered either. */
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
