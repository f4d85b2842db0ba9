/**
 * Lua has one empty table for lists and maps. What stood at the same place before a script ran tells which one it was;
 * an empty table at a place where nothing was empty is left out, as upstream does. Positions in lists make no
 * difference, because a script may have moved what is in them.
 */

/** What was empty at a place, and below it. */
interface Place {
  map: boolean
  list: boolean
  below: Map<string, Place>
}

/** The value with its empty tables as they are in the sources, and without those that no source has. */
export function likeSource<T>(value: T, sources: readonly unknown[]): T {
  const root = newPlace()
  for (const source of sources) record(root, source)
  return isEmpty(value) ? value : (restored(value, root) as T)
}

const newPlace = (): Place => ({ map: false, list: false, below: new Map() })

function record(place: Place, value: unknown): void {
  for (const [child, at] of childrenOf(value, (name) => below(place, name) ?? place)) {
    if (!isEmpty(child)) record(at, child)
    else if (Array.isArray(child)) at.list = true
    else at.map = true
  }
}

/** The children of a list or map, each with its place; those of a list are at the place of the list. */
function childrenOf(value: unknown, placeOf: (name?: string) => Place): [unknown, Place][] {
  if (Array.isArray(value)) return value.map((child): [unknown, Place] => [child, placeOf()])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, child]): [unknown, Place] => [child, placeOf(name)])
}

function below(place: Place, name: string | undefined): Place | undefined {
  if (name === undefined) return undefined
  const known = place.below.get(name) ?? newPlace()
  place.below.set(name, known)
  return known
}

function restored(value: unknown, place: Place | undefined): unknown {
  if (isEmpty(value)) return place?.map ? {} : place?.list ? [] : undefined
  if (Array.isArray(value)) return value.map((item) => restored(item, place)).filter((item) => item !== undefined)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, child]) => [name, restored(child, place?.below.get(name))] as const)
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
