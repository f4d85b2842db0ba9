/** Names the revisions of a template. */
import type { PodTemplate } from '@/lib/kube/kinds'
import { safeEncode } from '@/lib/kube/names'
import { fnv1a32 } from '@/lib/std/fnv'

const known = new WeakMap<PodTemplate, string>()

/**
 * Returns the same name for the same template, regardless of the order of its fields. Computed once per template
 * object.
 */
export function templateHash(template: PodTemplate): string {
  const hash = known.get(template) ?? safeEncode(String(fnv1a32(JSON.stringify(template, sorted))))
  known.set(template, hash)
  return hash
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
