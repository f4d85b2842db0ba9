/** Suite `initial-subset-statuses`: the rows with which the webhook begins a revision. */
import { openRows } from '@/lib/domain/spread'
import { type RecordedSpread, spreadIn } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  workloadSpread: RecordedSpread
  workloadReplicas: number | null
}

function judge({ input, output }: Case<Input, object>): string | undefined {
  const subsetStatuses = openRows(spreadIn(input.workloadSpread).spec?.subsets ?? [], input.workloadReplicas ?? 0)
  return differs('rows', { subsetStatuses }, output)
}

export const suite: Suite = { name: 'initial-subset-statuses', judge: judge as Judge }
