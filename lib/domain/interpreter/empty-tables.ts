/**
 * Lua has a single empty table for lists and maps. Its type is taken from the same path in the script's input; an empty
 * table at a path where the input had none is omitted, as upstream does. List indexes are ignored, because a script may
 * move list items.
 */

/** Empty values at a path and below it. */
interface Place {
  map: boolean
  list: boolean
  below: Map<string, Place>
}

/** Returns the value with empty tables typed as in the sources, and without those that no source has. */
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

/** Returns the children of a list or map, each with its place; items of a list share the place of the list. */
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
