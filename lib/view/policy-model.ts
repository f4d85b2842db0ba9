/** View models of PropagationPolicies and ClusterPropagationPolicies. See model.ts. */
import type { z } from 'zod'
import type { labSchema, placementPreviewSchema, selectedSchema } from './schemas/lab'
import type { policySchema, resourceSelectorSchema } from './schemas/policies'

export type ResourceSelectorView = z.infer<typeof resourceSelectorSchema>

/** One policy. `id` is `namespace/name`, or the name of a ClusterPropagationPolicy. */
export type PolicyView = z.infer<typeof policySchema>

/** What the placement lab computes with. */
export type LabView = z.infer<typeof labSchema>
export type SelectedView = z.infer<typeof selectedSchema>

/** What the server makes of a placement. */
export type PlacementPreviewView = z.infer<typeof placementPreviewSchema>

interface PolicyName {
  namespace?: string | undefined
  name: string
}

/** The id of a policy: names of policies hold no slash. */
export const policyId = ({ namespace, name }: PolicyName): string =>
  namespace === undefined ? name : `${namespace}/${name}`

/** The inverse of `policyId`; undefined when the text is no id. */
export function parsePolicyId(id: string): PolicyName | undefined {
  const parts = id.split('/')
  if (parts.length > 2 || parts.some((part) => part === '')) return undefined
  const [first = '', second] = parts
  return second === undefined ? { name: first } : { namespace: first, name: second }
}
