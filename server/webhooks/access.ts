/** Who may do what, as the API server decides it. */
import type { UserInfo } from '@/lib/kube/admission-webhooks/review'
import { subjectAccessReview } from '@/lib/kube/kinds/access-reviews'
import { apiVersionOf } from '@/lib/kube/kind'
import { queue } from '@/lib/kube/kinds/queue'
import type { KubeClient } from '@/server/kube/client'

/** Something done to queues. */
export interface QueueAccess {
  verb: 'create' | 'update'
  namespace: string
  /** Absent: any of the namespace. */
  name?: string
}

/** Rejects when the API server does not say. */
export async function mayUser(
  client: KubeClient,
  { username, uid, groups, extra }: UserInfo,
  access: QueueAccess,
): Promise<boolean> {
  const { status } = await client.create(subjectAccessReview, {
    apiVersion: apiVersionOf(subjectAccessReview),
    kind: subjectAccessReview.kind,
    metadata: {},
    spec: {
      user: username,
      ...(uid && { uid }),
      ...(groups && { groups: [...groups] }),
      ...(extra && { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
      resourceAttributes: { group: queue.group, version: queue.version, resource: queue.plural, ...access },
    },
  })
  return status?.allowed === true
}
