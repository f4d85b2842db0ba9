/** Functions that the job statuses of Volcano and Kubeflow share. */
import { deepEqual } from '../../../std/equal'
import { omit } from '../../../std/omit'
import type { Fields } from '../shape'

/** Returns the block without zeros, empty texts, and containers of nothing else. */
export function withoutZeros(block: Fields): Fields {
  return (pruned(block, true) ?? {}) as Fields
}

/** Returns the block without empty values. */
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

/** Returns the condition with its times: those of the previous one if nothing else changed, otherwise now. */
export function dated(next: Fields, before: Fields | undefined, now: string, times: readonly string[]): Fields {
  const isSame = before !== undefined && deepEqual(omit(before, ...times), next)
  return { ...next, ...Object.fromEntries(times.map((name) => [name, (isSame && before[name]) || now])) }
}
