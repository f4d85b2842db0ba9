/** Compares statuses. */
import { deepEqual } from '@/lib/std/equal'

type Fields = Readonly<Record<string, unknown>>

/**
 * Reports whether writing `next` over `stored` changes nothing. A zero count equals an absent one, because servers drop
 * zeros.
 */
export function isSameStatus(stored: Fields | undefined, next: Fields): boolean {
  return Object.entries(next).every(([field, value]) => deepEqual(stored?.[field] || undefined, value || undefined))
}
