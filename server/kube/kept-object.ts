/** What a cache keeps of an object that was parsed for it alone, as over HTTP. */
import type { KubeObject } from '@/lib/kube/object'
import { omit } from '@/lib/std/omit'
import { shareStructure } from '@/lib/std/share-structure'

export interface Keeping {
  /** Whether the product reads an entry of `managedFields`. The others take more memory than the rest of most objects. */
  keepsOwner: (entry: unknown) => boolean
}

/**
 * Removes unread owners of fields from `object` itself. Returns the object, which shares its parts with equal parts of
 * `similar`: an earlier version, or a neighbour in the list.
 */
export function keptOf<T extends KubeObject>(object: T, similar: T | undefined, { keepsOwner }: Keeping): T {
  const { metadata } = object
  const owners = metadata.managedFields?.filter(keepsOwner)
  if (owners?.length) metadata.managedFields = owners
  else object.metadata = omit(metadata, 'managedFields')
  return similar ? shareStructure(similar, object) : object
}
