import { message } from '@/lib/messages/message'
import type { Selection } from '@/lib/view/actions'

/** The parts of a selection as the form and the address keep them: lists with commas, labels as kubectl takes them. */
export const SELECTION_FIELDS = [
  { name: 'ns', label: message('plan.select.namespaces'), hint: 'shop, payments' },
  { name: 'kind', label: message('plan.select.kinds'), hint: 'Deployment, StatefulSet' },
  { name: 'labels', label: message('plan.select.labels'), hint: 'app=web,tier in (a,b)' },
  { name: 'on', label: message('plan.select.runningOn'), hint: 'member2' },
  { name: 'left', label: message('plan.select.left'), hint: 'member1' },
  { name: 'policy', label: message('plan.select.policies'), hint: 'shop/web, cluster-wide-name' },
] as const

export type SelectionField = (typeof SELECTION_FIELDS)[number]['name']

/** What the fields choose; undefined while all are empty. */
export function readSelection(get: (field: SelectionField) => string | undefined): Selection | undefined {
  const list = (field: SelectionField): string[] | undefined => {
    const entries = (get(field) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    return entries.length > 0 ? entries : undefined
  }
  const labels = get('labels')?.trim()
  const parts: Selection = {
    namespaces: list('ns'),
    kinds: list('kind'),
    labels: labels === '' ? undefined : labels,
    runningOn: list('on'),
    left: list('left'),
    policies: list('policy')?.map(policyOf),
  }
  const given = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Selection
  return Object.keys(given).length > 0 ? given : undefined
}

/** `namespace/name`, or the name of a cluster-wide one. */
function policyOf(text: string): { namespace?: string; name: string } {
  const slash = text.indexOf('/')
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}
