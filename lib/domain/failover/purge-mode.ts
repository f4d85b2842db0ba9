/** The names of purge modes: those of today, and those that were proposed first. */
import type { PurgeMode } from '../eviction'

const PRESENT: Readonly<Record<string, PurgeMode>> = {
  Directly: 'Directly', Gracefully: 'Gracefully', Never: 'Never',
  Immediately: 'Directly', Graciously: 'Gracefully',
}

/** Today's name of a mode under either name; undefined for what is none. */
export function presentPurgeMode(name: string | undefined): PurgeMode | undefined {
  return name !== undefined && Object.hasOwn(PRESENT, name) ? PRESENT[name] : undefined
}
