/** The ResourceQuotas in members, where they count. */
import type { QuotasOf } from '@/lib/domain/estimate'
import type { Kind } from '@/lib/kube/kind'
import { cluster as clusterKind, resourceQuota } from '@/lib/kube/kinds'
import type { ResourceQuota } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { acquireMemberWatch } from '../shared/member-watch'

const kind = resourceQuota as unknown as Kind<UnknownObject>

/** Those that were propagated; other quotas of members are not looked at. */
export interface MemberQuotas {
  of: QuotasOf
  release(): Promise<void>
}

/** Begins to copy the quotas of every member, also of those that join later. */
export function followQuotas(context: ReconcilerContext): MemberQuotas {
  const { members, release } = acquireMemberWatch(context)
  const stop = context.informers.of(clusterKind).onChange((change) => {
    if (change.type === 'added') members.of(change.object.metadata.name, kind)
  })
  return {
    of: (cluster, namespace) =>
      members.of(cluster, kind).listNamespace(namespace) as unknown as readonly ResourceQuota[],
    release: async () => {
      stop()
      await release()
    },
  }
}
