/** Suite `pod-grouping`: pods by subset, and adopted ones. */
import { groupPods } from '@/lib/domain/spread'
import { nodeIn, podsIn, type RecordedSpread, spreadIn } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  workloadSpread: RecordedSpread
  pods: object[] | null
  nodes: { metadata: { name: string } }[]
  workloadReplicas: number
}

function judge({ input, output }: Case<Input, object>): string | undefined {
  const nodes = new Map(input.nodes.map((node) => [node.metadata.name, nodeIn(node)]))
  const { groups, adoptions } = groupPods({
    spread: spreadIn(input.workloadSpread),
    pods: podsIn(input.pods),
    nodes,
    size: input.workloadReplicas,
  })
  const names = [...groups].map(([subset, pods]) => [subset, pods.map(({ metadata }) => metadata.name)])
  const patches = adoptions.map(({ pod, patch }) => [pod.metadata.name, patch])
  return differs('grouping', { groups: Object.fromEntries(names), podPatches: Object.fromEntries(patches) }, output)
}

export const suite: Suite = { name: 'pod-grouping', judge: judge as Judge }
