/** Suite `adaptive-reschedule`: when a subset closes and opens, and which pods are made anew. */
import { assessSpread } from '@/lib/domain/spread'
import { podsIn, rulesIn, secondsOf, spreadIn, timeIn, type WithRules } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  now: string
  scheduleStrategy: object
  isLastSubset: boolean
  pods: object[] | null
  oldCondition: object | null
}

interface Output {
  condition: object | null
  deletedPods: string[]
  requeueAfterSeconds: number
  events: string[]
  missingReplicas: number
}

/** The subset is one of two: the first of at most five, or the last without limit. */
function judge({ input, output }: Case<Input, Output>): string | undefined {
  const [own, other] = [{ name: 'a', ...(!input.isLastSubset && { maxReplicas: 5 }) }, { name: 'b' }]
  const row = {
    name: 'a',
    replicas: 0,
    missingReplicas: 0,
    ...(input.oldCondition && { conditions: [input.oldCondition] }),
  }
  const spread = spreadIn({
    spec: { scheduleStrategy: input.scheduleStrategy, subsets: input.isLastSubset ? [other, own] : [own, other] },
    status: { subsetStatuses: [row] },
  })
  const groups = new Map([['v', new Map([['a', podsIn(input.pods)]])]])
  const { status, failed, events, requeueAfterMs } = assessSpread({
    spread,
    groups,
    size: 5,
    now: timeIn(input),
    rules: rulesIn(input),
  })
  const after = status.subsetStatuses?.find(({ name }) => name === 'a')
  return differs(
    'rescheduling',
    {
      condition: after?.conditions?.[0] ?? null,
      deletedPods: failed.map(({ metadata }) => metadata.name),
      requeueAfterSeconds: secondsOf(requeueAfterMs),
      events: events.map(({ type, reason }) => `${type} ${reason}`),
      missingReplicas: after?.missingReplicas,
    },
    output,
  )
}

export const suite: Suite = { name: 'adaptive-reschedule', judge: judge as Judge }
