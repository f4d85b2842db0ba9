/** Texts of policies that are put together of their fields. */
import { message, type Text } from '@/lib/messages'
import type { ResourceSelectorView } from '@/lib/view/policy-model'

/** "Deployment shop/web", "Deployment with app=web", "all Deployments". */
export function selectorText(text: Text, { kind, namespace, name, labels }: ResourceSelectorView): string {
  if (name !== undefined)
    return text('policies.selects.name', { kind, name: namespace === undefined ? name : `${namespace}/${name}` })
  const what =
    labels.length > 0 ? message('policies.selects.labels', { kind, labels }) : message('policies.selects.all', { kind })
  return namespace === undefined ? text.of(what) : text('policies.selects.in', { what, namespace })
}
