import { defineKind, type ObjectOf } from '../kind'
import { object, string } from '../schema'
import { atomicStrings } from './lists'
import { workloadConditions } from './workload-status'

/** A room for names and for access rules. */
export const namespace = defineKind({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  scope: 'Cluster',
  origin: 'builtin',
  subresources: { status: true },
  fields: object({
    spec: object({ finalizers: atomicStrings() }),
    status: object({ conditions: workloadConditions, phase: string() }),
  }),
})

export type Namespace = ObjectOf<typeof namespace>
