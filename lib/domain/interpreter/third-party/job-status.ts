/** What jobs of Volcano and Kubeflow have in common. */
import { deepEqual } from '../../../std/equal'
import { omit } from '../../../std/omit'
import type { Fields } from '../shape'

/** The block without zeros, empty texts and what holds nothing else. */
export function withoutZeros(block: Fields): Fields {
  return (pruned(block, true) ?? {}) as Fields
}

/** The block without what is empty. */
export function withoutEmpty(block: Fields): Fields {
  return (pruned(block, false) ?? {}) as Fields
}

function pruned(value: unknown, zeros: boolean): unknown {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object') return zeros && (value === 0 || value === '' || value === '0s') ? undefined : value
  if (Array.isArray(value)) {
    const items = value.map((item) => pruned(item, zeros)).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  const entries = Object.entries(value)
    .map(([name, child]) => [name, pruned(child, zeros)] as const)
    .filter(([, child]) => child !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** The condition with its times: since when it holds, if it did so before. */
export function dated(next: Fields, before: Fields | undefined, now: string, times: readonly string[]): Fields {
  const isSame = before !== undefined && deepEqual(omit(before, ...times), next)
  return { ...next, ...Object.fromEntries(times.map((name) => [name, (isSame && before[name]) || now])) }
}
