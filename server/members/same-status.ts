/** Compares statuses. */
import { deepEqual } from '@/lib/std/equal'

type Fields = Readonly<Record<string, unknown>>

/** True when writing `next` over `stored` changes nothing. A count of zero and no count are the same: servers drop zeros. */
export function isSameStatus(stored: Fields | undefined, next: Fields): boolean {
  return Object.entries(next).every(([field, value]) => deepEqual(stored?.[field] || undefined, value || undefined))
}
