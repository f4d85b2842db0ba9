/** Suite `missing-replicas`: the controller's counts in one subset. */
import { countSubset, Deadlines } from '@/lib/domain/spread'
import { podsIn, rowIn, rulesIn, secondsOf, subsetsIn, timeIn, type WithRules } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  now: string
  subset: object
  pods: object[] | null
  oldSubsetStatus: object | null
  workloadReplicas: number
}

interface Output {
  subsetStatus: object | null
  requeueAfterSeconds: number
  events: string[]
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const deadlines = new Deadlines(timeIn(input), rulesIn(input))
  const [subset] = subsetsIn([input.subset])
  const count = countSubset(
    { subset: subset!, pods: podsIn(input.pods), old: rowIn(input.oldSubsetStatus), size: input.workloadReplicas },
    deadlines,
  )
  const actual = {
    subsetStatus: count?.row ?? null,
    requeueAfterSeconds: secondsOf(deadlines.nextMs),
    events: (count?.events ?? []).map(({ type, reason }) => `${type} ${reason}`).toSorted(),
  }
  return differs('count', actual, { ...output, events: output.events.toSorted() })
}

export const suite: Suite = { name: 'missing-replicas', judge: judge as Judge }
