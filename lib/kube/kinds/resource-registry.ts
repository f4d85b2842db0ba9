import { defineKind, type ObjectOf } from '../kind'
import { array, object, string } from '../schema'
import { condition } from './condition'
import { clusterAffinity } from './placement'

const selector = object(
  { apiVersion: string(), kind: string(), namespace: string() },
  { required: ['apiVersion', 'kind'] },
)

const secretReference = object({ name: string(), namespace: string() }, { required: ['namespace', 'name'] })

const openSearch = object(
  { addresses: array(string()), secretRef: secretReference },
  { required: ['addresses', 'secretRef'] },
)

/** Which resources of which clusters the search caches. */
export const resourceRegistry = defineKind({
  group: 'search.karmada.io',
  version: 'v1alpha1',
  kind: 'ResourceRegistry',
  plural: 'resourceregistries',
  scope: 'Cluster',
  origin: 'aggregated',
  subresources: { status: true },
  fields: object({
    spec: object(
      { backendStore: object({ openSearch }), resourceSelectors: array(selector), targetCluster: clusterAffinity },
      { required: ['targetCluster', 'resourceSelectors'] },
    ),
    status: object({ conditions: array(condition) }),
  }),
})

export type ResourceRegistry = ObjectOf<typeof resourceRegistry>
