/** Result of an authorization, and the text of a refusal. */
import { type KubeError, kubeError } from '@/lib/kube/errors'
import { goQuoted } from '@/lib/kube/go-text'
import { type Attributes, combinedResource, isPathRequest } from '@/lib/kube/rbac/attributes'

/** `reason` names the binding that allows it, or a lookup that failed. Otherwise empty. */
export interface Decision {
  allowed: boolean
  reason: string
}

/** 403 in the words of kube-apiserver. */
export function forbiddenRequest(user: string, attributes: Attributes, reason = ''): KubeError {
  const why = `${refusalText(user, attributes)}${reason && `: ${reason}`}`
  if (isPathRequest(attributes)) return kubeError(403, 'Forbidden', `forbidden: ${why}`, {})
  const { group, resource, name } = attributes
  const subject = `${group ? `${resource}.${group}` : resource}${name && ` ${goQuoted(name)}`}`
  const details = { ...(name && { name }), ...(group && { group }), ...(resource && { kind: resource }) }
  return kubeError(403, 'Forbidden', `${resource || group ? `${subject} is forbidden` : 'forbidden'}: ${why}`, details)
}

function refusalText(user: string, attributes: Attributes): string {
  const who = `User ${goQuoted(user)} cannot ${attributes.verb}`
  if (isPathRequest(attributes)) return `${who} path ${goQuoted(attributes.path)}`
  const { group, namespace } = attributes
  const what = `resource ${goQuoted(combinedResource(attributes))} in API group ${goQuoted(group)}`
  return `${who} ${what} ${namespace ? `in the namespace ${goQuoted(namespace)}` : 'at the cluster scope'}`
}
