/** Creates and deletes the pods of a workload. */
import { isNotFound } from '@/lib/kube/errors'
import { pod as podKind, type Pod, type PodTemplate } from '@/lib/kube/kinds'
import { type KubeObject, objectKey, type OwnerReference } from '@/lib/kube/object'
import type { MemberContext } from './member-context'
import { MemberFull, PODS_PER_MEMBER, SIMULATOR } from './pod-limits'

export interface PodRequest {
  owner: KubeObject
  reference: OwnerReference
  template: PodTemplate
  /** `generateName` for interchangeable pods, `name` for numbered ones. */
  identity: { generateName: string } | { name: string }
  labels?: Readonly<Record<string, string>>
  annotations?: Readonly<Record<string, string>>
}

/**
 * Creates a pod, with its node if one has capacity: this replaces the later write of a scheduler and halves the writes.
 * If webhooks change pods, the node is chosen later. Throws MemberFull at the limit of the member.
 */
export async function createPod(member: MemberContext, request: PodRequest): Promise<void> {
  const { client, ledger, expectations } = member
  refuseWhenFull(member, request)
  if (member.changesPods(request.owner.metadata.namespace ?? '')) {
    expectations.created(request.owner.metadata.uid, await client.create(podKind, draftPod(request, undefined)))
    return
  }
  const reservation = ledger.reserve({
    namespace: request.owner.metadata.namespace ?? '',
    labels: { ...request.template.metadata?.labels, ...request.labels },
    spec: request.template.spec,
  })
  const { choice } = reservation
  let made: Pod | undefined
  try {
    made = await client.create(podKind, draftPod(request, 'node' in choice ? choice.node : undefined))
    expectations.created(request.owner.metadata.uid, made)
  } finally {
    reservation.settle(made && objectKey(made))
  }
}

function refuseWhenFull({ informers, events, name }: MemberContext, { owner, reference }: PodRequest): void {
  if (informers.of(podKind).list().length < PODS_PER_MEMBER) return
  const full = new MemberFull(name)
  const { namespace } = owner.metadata
  const { apiVersion, kind, name: ownName, uid } = reference
  const regarding = { apiVersion, kind, name: ownName, uid, ...(namespace !== undefined && { namespace }) }
  events.record({ component: SIMULATOR, type: 'Warning', reason: 'FailedCreate', message: full.message, regarding })
  throw full
}

function draftPod(
  { owner, reference, template, identity, labels, annotations }: PodRequest,
  nodeName: string | undefined,
) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...identity,
      namespace: owner.metadata.namespace,
      labels: { ...template.metadata?.labels, ...labels },
      ...((template.metadata?.annotations ?? annotations) && {
        annotations: { ...template.metadata?.annotations, ...annotations },
      }),
      ownerReferences: [reference],
    },
    spec: { ...template.spec, ...(nodeName !== undefined && { nodeName }) },
  }
}

/** Deletes a pod; the kubelet completes the deletion. */
export async function removePod({ client, expectations }: MemberContext, pod: Pod): Promise<void> {
  const { namespace, name, uid } = pod.metadata
  expectations.removed(pod)
  try {
    await client.delete(podKind, { namespace, name }, { preconditions: { uid } })
  } catch (error) {
    if (isNotFound(error)) return
    expectations.kept(pod)
    throw error
  }
}
