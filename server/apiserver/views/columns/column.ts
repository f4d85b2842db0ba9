import type { UnknownObject } from '@/lib/kube/object'
import type { EpochMs } from '@/lib/std/clock'

/** A column of a table. */
export interface Column {
  name: string
  type: string
  format?: string
  description?: string
  /** Larger than 0 is shown with `-o wide` only. */
  priority?: number
  cell(object: UnknownObject, now: EpochMs): unknown
}
