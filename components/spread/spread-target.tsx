import type { SpreadView } from '@/lib/view/spread-model'
import { nameOf } from '../hooks/filter'
import { WorkloadName } from '../status/workload-name'

/** The workload whose pods are spread, linked where it is propagated. */
export function SpreadTarget({ spread: { workload, target } }: { spread: SpreadView }) {
  if (workload !== undefined) return <WorkloadName id={workload} workload={target} />
  return (
    <span className="text-ink-2" title="No policy takes it to a cluster">
      {nameOf(target)} ({target.kind}), not propagated
    </span>
  )
}
