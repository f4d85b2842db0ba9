import { parsePolicyId } from '@/lib/view/policy-model'

/** The address of a policy in the API. */
export function documentPath(id: string): string {
  const { namespace = '-', name = '' } = parsePolicyId(id) ?? {}
  return `/api/v1/policies/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`
}
