/** Reading fields of objects that may lack them. */
import type { LabelSelectorLike } from '@/lib/kube/selector'

export const NONE = '<none>'

type Fields = Record<string, unknown>

/** The value at a path of plain field names; undefined if any part is absent. */
export function at(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Fields | undefined | null)?.[name], object)
}

export function array(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : []
}

/** A number, 0 when absent. */
export function count(object: unknown, path: string): number {
  const value = at(object, path)
  return typeof value === 'number' ? value : 0
}

export function text(value: unknown, absent = NONE): string {
  return typeof value === 'string' && value !== '' ? value : absent
}

/** One field of every item, comma-joined. */
export function joined(items: unknown, field: string): string {
  return array(items)
    .map((item) => text(item[field], ''))
    .join(',')
}

/** `a=1,b in (x,y)`; `absent` for an absent or empty selector. */
export function selectorText(selector: unknown, absent = NONE): string {
  const { matchLabels = {}, matchExpressions = [] } = (selector ?? {}) as LabelSelectorLike
  const labels = Object.entries(matchLabels)
    .sort()
    .map(([key, value]) => `${key}=${value}`)
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key
    if (operator === 'DoesNotExist') return `!${key}`
    return `${key} ${operator.toLowerCase()} (${[...values].sort().join(',')})`
  })
  return [...labels, ...expressions].join(',') || absent
}
