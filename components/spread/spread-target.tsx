import type { SpreadView } from '@/lib/view/spread-model'
import { nameOf } from '@/lib/view/workload-id'
import { useText } from '../messages/use-text'
import { WorkloadName } from '../status/workload-name'

/** The workload whose pods are spread, linked where it is propagated. */
export function SpreadTarget({ spread: { workload, target } }: { spread: SpreadView }) {
  const text = useText()
  if (workload !== undefined) return <WorkloadName id={workload} workload={target} />
  return (
    <span className="text-ink-2" title={text('spread.notPropagatedHint')}>
      {text('spread.notPropagated', { workload: nameOf(target), kind: target.kind })}
    </span>
  )
}
