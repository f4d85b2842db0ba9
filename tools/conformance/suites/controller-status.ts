/** Suite `controller-status`: the whole status after a pass of the controller. */
import { assessSpread } from '@/lib/domain/spread'
import { podsIn, type RecordedSpread, rulesIn, spreadIn, timeIn, type WithRules } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  now: string
  workloadSpread: RecordedSpread
  podsByVersionAndSubset: Record<string, Record<string, object[] | null>> | null
  workloadReplicas: number
}

interface Output {
  status: object
  /** Whether it is written; only in cases of our own. */
  changed?: boolean
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const versions = Object.entries(input.podsByVersionAndSubset ?? {})
  const groups = new Map(
    versions.map(([version, subsets]) => [
      version,
      new Map(Object.entries(subsets).map(([subset, pods]) => [subset, podsIn(pods)])),
    ]),
  )
  const spread = spreadIn(input.workloadSpread)
  const { status, changed } = assessSpread({
    spread,
    groups,
    size: input.workloadReplicas,
    now: timeIn(input),
    rules: rulesIn(input),
  })
  return differs('status', { status, ...(output.changed !== undefined && { changed }) }, output)
}

export const suite: Suite = { name: 'controller-status', judge: judge as Judge }
