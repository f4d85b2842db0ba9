/** Node and resource summary of a cluster from its nodes and pods, compared with recorded ones. */
import {
  summarizeNodes,
  summarizeResources,
  type NodeSummary,
  type ResourceSnapshot,
  type ResourceSummary,
} from '@/lib/domain/cluster'
import { differs, firstOf } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Output {
  /** Zero counts are absent. */
  nodeSummary: NodeSummary
  resourceSummary: ResourceSummary
}

function judge({ input, output }: Case<ResourceSnapshot, Output>): string | undefined {
  return firstOf(
    differs('nodes', summarizeNodes(input.nodes), { totalNum: 0, readyNum: 0, ...output.nodeSummary }),
    differs('resources', summarizeResources(input), output.resourceSummary),
  )
}

export const suite: Suite = { name: 'resource-summary', judge: judge as Judge }
