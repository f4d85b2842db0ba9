/** Suite `deletion-cost`: what pods weigh. */
import { planDeletionCosts } from '@/lib/domain/spread'
import { podsIn, rulesIn, subsetsIn, type WithRules } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  subsets: object[]
  podsBySubset: Record<string, object[] | null>
  workloadReplicas: number
  oldVersion: boolean
}

function judge({ input, output }: Case<Input, { patchedDeletionCost: object }>): string | undefined {
  const groups = new Map(Object.entries(input.podsBySubset).map(([subset, pods]) => [subset, podsIn(pods)]))
  const changes = planDeletionCosts({
    subsets: subsetsIn(input.subsets),
    groups,
    size: input.workloadReplicas,
    old: input.oldVersion,
    rules: rulesIn(input),
  })
  const patched = Object.fromEntries(changes.map(({ pod, cost }) => [pod.metadata.name, cost]))
  return differs('costs', patched, output.patchedDeletionCost)
}

export const suite: Suite = { name: 'deletion-cost', judge: judge as Judge }
