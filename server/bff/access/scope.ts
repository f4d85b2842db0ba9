/** Builds scopes from the grants of the reviews. */
import type { Message } from '@/lib/messages/message'
import { createHash } from 'node:crypto'
import type { Place, ResourceName, Scope } from './access'
import { resourceNamed } from './resources'

/** By name of the resource: every namespace, or the listed ones. Resources that are missing are not granted. */
export type Grants = ReadonlyMap<string, 'all' | ReadonlySet<string>>

/** The scope of callers that act as the console itself, and of the console's own work. */
export const EVERYTHING: Scope = {
  key: 'everything',
  sees: () => true,
  seesAll: () => true,
  seesAny: () => true,
  namespaces: () => [],
}

/** Returns the scope of a user whose rights are unknown. `problem` says why, for people. */
export function emptyScope(problem: Message | string): Scope {
  return {
    key: 'nothing',
    problem,
    sees: () => false,
    seesAll: () => false,
    seesAny: () => false,
    namespaces: () => [],
  }
}

/** Returns the scope of these grants. A partial scope differs from a complete one with the same grants. */
export function scopeOf(grants: Grants, isPartial = false): Scope {
  const byGroup = groupsOf(grants)
  const of = ({ group, resource }: ResourceName) => byGroup.get(group)?.get(resource)
  const seesAll = (resource: ResourceName): boolean => of(resource) === 'all'
  return {
    key: isPartial ? `${keyOf(grants)} so far` : keyOf(grants),
    ...(isPartial && { isPartial }),
    seesAll,
    seesAny: (resource) => seesAll(resource) || ((of(resource) as ReadonlySet<string> | undefined)?.size ?? 0) > 0,
    sees: (place: Place) => {
      const granted = of(place)
      return (
        granted === 'all' || (granted !== undefined && place.namespace !== undefined && granted.has(place.namespace))
      )
    },
    namespaces: () =>
      [...new Set([...grants.values()].flatMap((granted) => (granted === 'all' ? [] : [...granted])))].sort(),
  }
}

/** By group, then by resource: it is read for every row, where concatenating names would be too slow. */
function groupsOf(grants: Grants): ReadonlyMap<string, Grants> {
  const groups = new Map<string, Map<string, 'all' | ReadonlySet<string>>>()
  for (const [name, granted] of grants) {
    const { group, resource } = resourceNamed(name)
    const known = groups.get(group)
    if (known) known.set(resource, granted)
    else groups.set(group, new Map([[resource, granted]]))
  }
  return groups
}

/** Returns the same text for the same rights and different texts for different rights. */
function keyOf(grants: Grants): string {
  const lines = [...grants]
    .filter(([, granted]) => granted === 'all' || granted.size > 0)
    .map(([name, granted]) => [name, granted === 'all' ? '*' : [...granted].sort()])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(lines)).digest('base64url').slice(0, 22)
}
