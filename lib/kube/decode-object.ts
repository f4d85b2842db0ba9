/** Reads an object as a server understands it: what does not fit its type is refused, what is unknown is dropped. */
import { canonicalText } from '@/lib/std/canonical'
import { repeats } from '@/lib/std/repeats'
import { decodeBuiltin, undecodable } from './builtin-decode'
import { embeddedMismatch } from './custom-resource/embedded'
import { encodeLikeGo } from './go-encoding'
import type { Kind } from './kind'
import type { UnknownObject } from './object'
import { objectMeta } from './object-meta'
import type { KindRules } from './rules'
import type { StructuralSchema } from './schema'
import { dropNulls } from './schema-default'
import { findMismatch } from './schema-mismatch'
import { pruneUnknown } from './schema-prune'
import { markedIfEmpty } from './sent-empty'

/** An object as the server understands it. */
export interface Decoded {
  object: UnknownObject
  /** Paths of unknown fields, as `fieldValidation` reports them: `spec.list[0].bar`. They are removed from `object`. */
  unknownFields: string[]
}

/** The decoder's message about the first value of a wrong type: in a custom object, that of its metadata alone. */
export function mismatchIn(kind: Kind, object: unknown): string | undefined {
  if (kind.origin !== 'crd') return findMismatch(object, kind.schema, kind.kind)
  // Metadata is read by itself.
  const ofMetadata = findMismatch(object, envelope, kind.kind)?.replace(/(?<= Go struct field \w+\.)metadata\./, '')
  return ofMetadata ?? embeddedMismatch(object, kind.schema)
}

interface Reading {
  /** Nulls of a custom object that was merged stay. */
  from: 'merged' | undefined
  rules: Pick<KindRules, 'countsEmpty'>
}

/** Throws 400 for a value of a wrong type. */
export function decodeObject(given: object, kind: Kind, { from, rules }: Reading): Decoded {
  const mismatch = mismatchIn(kind, given)
  if (mismatch) throw undecodable(kind, mismatch)
  const { value, unknownFields, inEmbedded } = pruneUnknown(given, kind.schema)
  const fields = value as UnknownObject
  const known: UnknownObject = { ...fields, metadata: fields.metadata ?? {} }
  if (kind.origin !== 'crd') {
    const decoded = withDistinctOwners(decodeBuiltin(known, kind.schema) as UnknownObject)
    const compared = rules.countsEmpty?.(known)
    return { object: compared ? markedIfEmpty(decoded, compared, kind.schema) : decoded, unknownFields }
  }
  const metadata = encodeLikeGo(known.metadata, objectMeta, metaPointers) as UnknownObject['metadata']
  const read = withDistinctOwners({ ...known, metadata })
  const custom = from === 'merged' ? read : dropNulls(read, kind.schema)
  // Metadata is read first, that of objects inside last.
  const rank = (path: string): number => (path.startsWith('metadata.') ? 0 : 1 + Number(inEmbedded.has(path)))
  const sorted = unknownFields.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return { object: custom, unknownFields: sorted }
}

/** Fields common to all objects. */
const envelope: StructuralSchema = {
  type: 'object',
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: objectMeta },
}

const metaPointers: ReadonlySet<string> = new Set([
  'controller',
  'blockOwnerDeletion',
  'deletionGracePeriodSeconds',
  'managedFields',
])

/** An owner that is named twice counts once. */
function withDistinctOwners(object: UnknownObject): UnknownObject {
  const owners = object.metadata?.ownerReferences
  if (!owners || owners.length < 2) return object
  const isRepeated = repeats()
  const distinct = owners.filter((owner) => !isRepeated(canonicalText(owner)))
  if (distinct.length === owners.length) return object
  return { ...object, metadata: { ...object.metadata, ownerReferences: distinct } }
}
