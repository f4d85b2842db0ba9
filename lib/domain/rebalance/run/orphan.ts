/** Handles protection whose plan was deleted while it ran, or was replaced by another of the same name. */
import { workloadOf } from '../select'
import { workloadKey } from '../sync-status'
import type { Binding } from '../../placement'
import { assessWorkload } from './assess-workload'
import { isOpen, readRunRecord } from './record'
import type { PlanContext, RunStep } from './snapshot'

/**
 * Decides on a binding that a deleted plan left protected. The protection ends as under the plan: when the new replicas
 * are ready, or if the scheduler did nothing. Returns undefined while there is nothing to do.
 */
export function decideOrphan({
  binding,
  clusters,
  now,
  english,
}: Pick<PlanContext, 'clusters' | 'now' | 'english'> & { binding: Binding }): RunStep | undefined {
  const record = readRunRecord(binding)
  if (!isOpen(record) || binding.metadata.deletionTimestamp) return undefined
  const workload = workloadOf(binding)
  const bindings = new Map([[workloadKey(workload), binding]])
  const plan = { name: record.plan, uid: record.uid, generation: 0, spec: {}, status: {} }
  return assessWorkload({ workload, stage: 'Triggered' }, { plan, bindings, clusters, now, english, since: new Map() })
    .step
}
