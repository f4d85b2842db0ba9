/** The conflict of a write whose condition does not hold where objects are kept. */
import type { ObjectMeta } from '@/lib/kube/object'
import { ownField } from '@/lib/std/fields'
import type { Scope } from '../api'
import { conflict } from '../failures'

/** Where kube-apiserver keeps some kinds, from a time when they had other names. */
const FOLDERS: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
}
/** Groups that are registered after the others, each in a folder of its own. */
const GROUPED = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io'])

function folderOf({ id, custom, kind: { group, plural } }: Scope['resource']): string {
  return ownField(FOLDERS, id) ?? (custom || GROUPED.has(group) ? `${group}/${plural}` : plural)
}

interface Precondition {
  what: 'UID' | 'ResourceVersion'
  wanted: string
  found: string
  dryRun?: boolean | undefined
}

/** A dry run does not get as far as to the place of the keys. */
export function failedPrecondition(
  scope: Scope,
  { name, namespace }: ObjectMeta,
  { what, wanted, found, dryRun }: Precondition,
): unknown {
  const key = `${dryRun ? '' : '/registry'}/${folderOf(scope.resource)}${namespace ? `/${namespace}` : ''}/${name}`
  const detail = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`
  return conflict(
    scope.resource.kind,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`,
  )
}
