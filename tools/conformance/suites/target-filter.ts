/** Suite `target-filter`: which pods the webhook looks at. */
import { selectsPod } from '@/lib/domain/spread'
import type { WorkloadSpreadSpec } from '@/lib/kube/kinds'
import { rulesIn, type WithRules } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  targetFilter: WorkloadSpreadSpec['targetFilter'] | null
  labels: Record<string, string> | null
}

function judge({ input, output }: Case<Input, object>): string | undefined {
  const selected = selectsPod(input.targetFilter ?? undefined, input.labels ?? undefined, rulesIn(input).openFilter)
  return differs('answer', selected.ok ? { selected: selected.value } : { error: true, selected: false }, output)
}

export const suite: Suite = { name: 'target-filter', judge: judge as Judge }
