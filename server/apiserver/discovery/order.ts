/** The order of groups and versions in the documents of discovery. */
import { ownField } from '@/lib/std/fields'

/** Positions of groups in lists, as in kube-apiserver. */
const GROUPS: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'discovery.k8s.io': 16_200,
}
const CUSTOM = { groupPriorityMinimum: 1000, versionPriority: 100 }
const PRIORITY_OF_V2 = 30
const PRIORITY_OF_OTHERS = 15

/** With which an APIService registers a version that is served here. */
export function priorityOf(group: string, version: string): typeof CUSTOM {
  const groupPriorityMinimum = ownField(GROUPS, group)
  if (groupPriorityMinimum === undefined) return CUSTOM
  if (group === '') return { groupPriorityMinimum, versionPriority: 1 }
  return { groupPriorityMinimum, versionPriority: version === 'v2' ? PRIORITY_OF_V2 : PRIORITY_OF_OTHERS }
}

/** A version of a group, and where its APIService puts the group. */
export interface Placed {
  group: string
  version: string
  groupPriorityMinimum: number
}

/** Itself, which no APIService registers: kube-apiserver puts it before all others. */
const FIRST = 'apiregistration.k8s.io'

/**
 * Returns the names of the groups by descending priority. Groups of equal priority are sorted by the names of their
 * APIServices (`VERSION.GROUP`) in `/apis`, and by group name in the aggregated document.
 */
export function groupsInOrder(versions: readonly Placed[], amongEquals: 'services' | 'groups'): string[] {
  const firsts = new Map<string, Rank>()
  for (const { group, version, groupPriorityMinimum } of versions) {
    const priority = group === FIRST ? Infinity : groupPriorityMinimum
    const rank = { priority, name: amongEquals === 'groups' ? group : `${version}.${group}` }
    const known = firsts.get(group)
    if (!known || compare(rank, known) < 0) firsts.set(group, rank)
  }
  return [...firsts].sort(([, a], [, b]) => compare(a, b)).map(([group]) => group)
}

interface Rank {
  priority: number
  name: string
}

function compare(a: Rank, b: Rank): number {
  if (a.priority !== b.priority) return b.priority - a.priority
  return a.name < b.name ? -1 : Number(a.name > b.name)
}

/** Sorts the most stable and newest version first; names without a version come last, in alphabetical order. */
export function versionsInOrder(versions: Iterable<string>): string[] {
  return [...versions].sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1))
}

const STAGES: Readonly<Record<string, number>> = { alpha: 1, beta: 2 }
const STABLE = 3

function rank(version: string): number {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (!match) return 0
  const [, major, stage, minor = '0'] = match
  return (stage === undefined ? STABLE : (STAGES[stage] ?? 0)) * 1e6 + Number(major) * 1e3 + Number(minor)
}
