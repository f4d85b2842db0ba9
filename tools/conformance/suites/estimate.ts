import type { ClusterCapacity } from '@/lib/domain/estimate/capacity'
import { estimateReplicas, estimateSets } from '@/lib/domain/estimate'
import type { Component } from '@/lib/domain/estimate/simulate'
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import { differs, firstOf } from '../compare'
import type { Case, Suite } from '../suite'

interface Input {
  cluster: ClusterCapacity
  replicaRequirements?: ReplicaRequirements
  components?: Component[]
  featureGates?: Record<string, boolean>
  assumedWorkloads?: { Components?: Component[] }[]
}

interface Output {
  maxAvailableReplicas?: number
  maxAvailableSets?: number
  path: string
  modelError?: string
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const { cluster, featureGates = {} } = input
  const resourceModels = featureGates['CustomizedClusterResourceModeling'] !== false
  const assumed = featureGates['SchedulingOvercommitProtection']
    ? (input.assumedWorkloads ?? []).map(({ Components = [] }) => ({ components: Components }))
    : []
  const estimate = (options: { resourceModels: boolean; assumed?: typeof assumed }) =>
    input.components
      ? estimateSets(cluster, input.components, options)
      : estimateReplicas(cluster, input.replicaRequirements, options)
  const { path, modelError } = estimate({ resourceModels })
  const recorded = output.maxAvailableReplicas ?? output.maxAvailableSets
  return firstOf(
    differs('amount', estimate({ resourceModels, assumed }).amount, recorded),
    differs('path', path, output.path),
    differs('modelError', modelError, output.modelError),
  )
}

export const suite: Suite<Input, Output> = { name: 'estimate', judge }
