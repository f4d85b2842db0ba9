'use client'
import { useText } from '../messages/use-text'
import { SkeletonRows } from '../ui/skeleton'

/** Rows where they will be. */
export function FleetOutline() {
  const text = useText()
  return <SkeletonRows label={text('fleet.loading')} rows={20} />
}
