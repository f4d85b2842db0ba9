import { defineKind, type ObjectOf } from '../kind'
import { map, object, quantity, string } from '../schema'
import { atomicList, atomicStrings } from './lists'

/** Total limits of a namespace. */
export const resourceQuota = defineKind({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object({
        hard: map(quantity()),
        scopeSelector: object(
          {
            matchExpressions: atomicList(
              object(
                { operator: string(), scopeName: string(), values: atomicStrings() },
                { required: ['scopeName', 'operator'] },
              ),
            ),
          },
          { 'x-kubernetes-map-type': 'atomic' },
        ),
        scopes: atomicStrings(),
      }),
      status: object({ hard: map(quantity()), used: map(quantity()) }),
    },
    { required: ['spec'] },
  ),
})

export type ResourceQuota = ObjectOf<typeof resourceQuota>
