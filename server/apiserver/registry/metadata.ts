/** The part of `metadata` that the server owns. */
import type { ObjectMeta, OwnerReference, UnknownObject } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { repeats } from '@/lib/std/repeats'
import type { Api } from '../api'

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIX_LENGTH = 5
/** A name that is made up is cut so that it stays a valid label. */
const MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH

/** `base` and five letters. */
export function generateName(base: string, random: () => number): string {
  let suffix = ''
  for (let index = 0; index < SUFFIX_LENGTH; index++) {
    suffix += SUFFIX_LETTERS[Math.floor(random() * SUFFIX_LETTERS.length)]
  }
  return base.slice(0, MAX_BASE_LENGTH) + suffix
}

/** Metadata of a new object: fields of the client and of the server. */
export function newMetadata(api: Api, draft: Partial<ObjectMeta>, namespace: string | undefined): ObjectMeta {
  const { generateName: base, generation, labels, annotations, ownerReferences, finalizers } = draft
  return {
    name: draft.name ?? '',
    ...(base && { generateName: base }),
    ...(namespace !== undefined && { namespace }),
    uid: api.uid(),
    resourceVersion: '',
    ...(generation && { generation }),
    creationTimestamp: formatTime(api.clock.now()),
    ...filled({ labels, annotations, ownerReferences, finalizers }),
  }
}

/**
 * The metadata of an update: identity and life from the old object, the rest from the new one. Another uid is refused, by rules
 * that see it.
 */
export function nextMetadata(next: Partial<ObjectMeta>, old: ObjectMeta): ObjectMeta {
  const { labels, annotations, ownerReferences, finalizers, generateName: base } = next
  const { name, namespace, resourceVersion, generation, creationTimestamp } = old
  const uid = next.uid || old.uid
  const { deletionTimestamp, deletionGracePeriodSeconds } = old
  return {
    name,
    ...(base && { generateName: base }),
    ...(namespace !== undefined && { namespace }),
    uid,
    resourceVersion,
    ...(generation !== undefined && { generation }),
    creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
    ...filled({ labels, annotations, ownerReferences, finalizers }),
  }
}

type Chosen = Pick<ObjectMeta, 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'>

/** Empty lists and maps are left out. A finalizer named twice counts once. */
function filled(chosen: Chosen): Chosen {
  const { labels, annotations, ownerReferences, finalizers } = chosen
  return {
    ...(notEmpty(labels) && { labels }),
    ...(notEmpty(annotations) && { annotations }),
    ...(ownerReferences?.length && { ownerReferences: distinct(ownerReferences) }),
    ...(finalizers?.length && { finalizers: finalizers.length === 1 ? finalizers : [...new Set(finalizers)] }),
  }
}

/** The first of several references to the same owner counts. */
function distinct(references: OwnerReference[]): OwnerReference[] {
  if (references.length === 1) return references
  const isRepeated = repeats()
  return references.filter(({ uid }) => !isRepeated(uid))
}

function notEmpty(map: object | undefined | null): boolean {
  return map !== undefined && map !== null && Object.keys(map).length > 0
}

/** The same object with other metadata. */
export function withMetadata(object: UnknownObject, change: Partial<ObjectMeta>): UnknownObject {
  return { ...object, metadata: { ...object.metadata, ...change } }
}
