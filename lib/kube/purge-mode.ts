/** How copies leave a cluster, and under which names. */

/** Today's names. `Never` leaves the copy until somebody releases it. */
export type PurgeMode = 'Directly' | 'Gracefully' | 'Never'

const PRESENT: Readonly<Record<string, PurgeMode>> = {
  Directly: 'Directly', Gracefully: 'Gracefully', Never: 'Never',
  // The names under which they were proposed.
  Immediately: 'Directly', Graciously: 'Gracefully',
}

/** Today's name of a mode under either name; undefined for what is none. */
export function presentPurgeMode(name: string | undefined): PurgeMode | undefined {
  return name !== undefined && Object.hasOwn(PRESENT, name) ? PRESENT[name] : undefined
}
