import { defineKind, type ObjectOf } from '../kind'
import { int32, object, string } from '../schema'

/** Names the holder of a role and the end of its lease, for leader election and heartbeats. */
export const lease = defineKind({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object({
    spec: object({
      acquireTime: string({ format: 'date-time' }),
      holderIdentity: string(),
      leaseDurationSeconds: int32(),
      leaseTransitions: int32(),
      preferredHolder: string(),
      renewTime: string({ format: 'date-time' }),
      strategy: string(),
    }),
  }),
})

export type Lease = ObjectOf<typeof lease>
