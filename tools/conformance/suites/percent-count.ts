/** Suite `percent-count`: how many pods a limit allows. */
import { limitOf } from '@/lib/domain/spread'
import { rulesIn, type WithRules } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  maxReplicas: number | string
  workloadReplicas: number
}

function judge({ input, output }: Case<Input, object>): string | undefined {
  const { maxReplicas, workloadReplicas } = input
  const count = limitOf(maxReplicas, workloadReplicas, 'strict')
  const cost = limitOf(maxReplicas, workloadReplicas, rulesIn(input).oneShareParser ? 'strict' : 'lenient')
  const actual = {
    ...(count.ok ? { statusCount: count.value } : { statusError: true }),
    ...(cost.ok ? { deletionCostCount: cost.value } : { deletionCostError: true }),
  }
  return differs('counts', actual, output)
}

export const suite: Suite = { name: 'percent-count', judge: judge as Judge }
