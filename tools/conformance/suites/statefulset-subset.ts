/** Suite `statefulset-subset`: subsets by ordinal. */
import { chooseByOrdinal } from '@/lib/domain/spread'
import { type RecordedSpread, spreadIn } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  workloadSpread: RecordedSpread
  podName: string
}

function judge({ input, output }: Case<Input, { subset: string | null }>): string | undefined {
  return differs('subset', chooseByOrdinal(spreadIn(input.workloadSpread), input.podName)?.name ?? null, output.subset)
}

export const suite: Suite = { name: 'statefulset-subset', judge: judge as Judge }
