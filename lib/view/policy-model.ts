/** View models of PropagationPolicies and ClusterPropagationPolicies. See model.ts. */
import type { z } from 'zod'
import type { labSchema, placementPreviewSchema, selectedSchema } from './schemas/lab'
import type { policySchema, resourceSelectorSchema } from './schemas/policies'

export type ResourceSelectorView = z.infer<typeof resourceSelectorSchema>

/** One policy. `id` is `namespace/name`, or the name of a ClusterPropagationPolicy. */
export type PolicyView = z.infer<typeof policySchema>

/** Input of the placement lab. */
export type LabView = z.infer<typeof labSchema>
export type SelectedView = z.infer<typeof selectedSchema>

/** The server's result for a placement. */
export type PlacementPreviewView = z.infer<typeof placementPreviewSchema>

interface PolicyName {
  namespace?: string | undefined
  name: string
}

/** Returns the ID of a policy; names of policies contain no slash. */
export const policyId = ({ namespace, name }: PolicyName): string =>
  namespace === undefined ? name : `${namespace}/${name}`

/** Parses an ID of `policyId`; undefined if it is invalid. */
export function parsePolicyId(id: string): PolicyName | undefined {
  const parts = id.split('/')
  if (parts.length > 2 || parts.some((part) => part === '')) return undefined
  const [first = '', second] = parts
  return second === undefined ? { name: first } : { namespace: first, name: second }
}
