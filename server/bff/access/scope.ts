/** Scopes as values: from what the reviews granted. */
import type { Message } from '@/lib/messages/message'
import { createHash } from 'node:crypto'
import type { Place, ResourceName, Scope } from './access'
import { resourceNamed } from './resources'

/** By name of the resource: in every namespace, or in these. What is not named is not granted. */
export type Grants = ReadonlyMap<string, 'all' | ReadonlySet<string>>

/** Of who asks as the console itself, and of what the console does for itself. */
export const EVERYTHING: Scope = {
  key: 'everything',
  sees: () => true,
  seesAll: () => true,
  seesAny: () => true,
  namespaces: () => [],
}

/** Of whom nothing is known. `problem` says why, for people. */
export function nothingBecause(problem: Message | string): Scope {
  return {
    key: 'nothing',
    problem,
    sees: () => false,
    seesAll: () => false,
    seesAny: () => false,
    namespaces: () => [],
  }
}

/** The scope that these grants make. One that is not complete yet is another one, whatever it grants. */
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

/** By group, then by resource: asked for every row, which is no time to put names together. */
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

/** The same text for the same rights, and never for others. */
function keyOf(grants: Grants): string {
  const lines = [...grants]
    .filter(([, granted]) => granted === 'all' || granted.size > 0)
    .map(([name, granted]) => [name, granted === 'all' ? '*' : [...granted].sort()])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(lines)).digest('base64url').slice(0, 22)
}
