/** Suite `owner-match`: whether a pod belongs to the target of a spread. */
import { type FindOwner, isOwnedByTarget, isSupportedOwner } from '@/lib/domain/spread'
import type { KubeObject } from '@/lib/kube/object'
import type { WorkloadReference } from '@/lib/kube/workload-target'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  targetRef: WorkloadReference
  podOwner: WorkloadReference
  /** All objects that exist. */
  replicaSets: { name: string; controller: WorkloadReference | null }[]
}

interface Output {
  supportedOwner: boolean
  equal: boolean
  error?: string
}

function judge({ input: { targetRef, podOwner, replicaSets }, output }: Case<Input, Output>): string | undefined {
  const find: FindOwner = ({ kind, name }) => {
    const found = kind === 'ReplicaSet' ? replicaSets.find((set) => set.name === name) : undefined
    const ownerReferences = found?.controller ? [{ ...found.controller, uid: 'u', controller: true }] : []
    return found && { metadata: { name, ownerReferences } as unknown as KubeObject['metadata'] }
  }
  const supportedOwner = isSupportedOwner(podOwner)
  const owned = isOwnedByTarget(targetRef, podOwner, { find })
  const actual = { supportedOwner, equal: owned.ok && owned.value, error: !owned.ok }
  return differs('match', actual, { ...output, error: output.error !== undefined })
}

export const suite: Suite = { name: 'owner-match', judge: judge as Judge }
