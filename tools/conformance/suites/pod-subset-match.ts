/** Suite `pod-subset-match`: how well a running pod fits into a subset. */
import { NO_MATCH, scoreMatch } from '@/lib/domain/spread'
import { nodeIn, podIn, subsetsIn } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  pod: object
  node: object
  subset: object
  missingReplicas: number
}

interface Output {
  matched: boolean
  score: number
  error?: unknown
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const [subset] = subsetsIn([input.subset])
  const score = scoreMatch(podIn(input.pod), nodeIn(input.node), { subset: subset!, wanted: input.missingReplicas })
  return differs('match', { matched: score > NO_MATCH, score }, { matched: output.matched, score: output.score })
}

export const suite: Suite = { name: 'pod-subset-match', judge: judge as Judge }
