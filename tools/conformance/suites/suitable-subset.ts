/** Suite `suitable-subset`: which row takes the next pod. */
import { chooseSubset } from '@/lib/domain/spread'
import type { SubsetStatus } from '@/lib/kube/kinds'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  subsetStatuses: SubsetStatus[] | null
  /** Subsets whose nodes have room; only in cases of our own. */
  room?: string[]
}

function judge({
  input: { subsetStatuses, room },
  output,
}: Case<Input, { subset: string | null }>): string | undefined {
  const hasRoom = room && ((subset: string) => room.includes(subset))
  return differs('subset', chooseSubset(subsetStatuses ?? [], hasRoom)?.name ?? null, output.subset)
}

export const suite: Suite = { name: 'suitable-subset', judge: judge as Judge }
