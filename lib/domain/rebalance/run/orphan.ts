/** Protection whose plan is gone: deleted while it ran, or replaced by another of the same name. */
import { workloadOf } from '../select'
import { workloadKey } from '../sync-status'
import type { Binding } from '../../placement'
import { assessWorkload } from './assess-workload'
import { isOpen, readRunRecord } from './record'
import type { PlanContext, RunStep } from './snapshot'

/**
 * What has to be done for a binding that a plan left behind: its protection ends as it would have under the plan, when
 * the new copies are ready or the scheduler did nothing, and not before. Undefined while there is nothing to do.
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
