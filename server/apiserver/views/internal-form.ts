/** The form of which tables and metadata speak: that in which kube-apiserver handles objects, whatever version is asked for. */
import type { Kind } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import { originOf } from '@/lib/kube/stored-form'
import { ownField } from '@/lib/std/fields'
import { omit } from '@/lib/std/omit'

type Converted = Pick<Kind, 'kind' | 'group' | 'origin' | 'storedAs'>

/** An object of a built-in kind in that form; definitions have no such form. */
export function internalForm(kind: Converted, object: UnknownObject): UnknownObject {
  if (kind.origin !== 'builtin') return object
  const own = kind.storedAs ? (originOf(object) ?? kind.storedAs.write(object)) : object
  return kind.kind === 'DaemonSet' && kind.group === 'apps' ? withoutAnnotation(own, TEMPLATE_GENERATION) : own
}

/** A field of the internal form that the version keeps in an annotation. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

function withoutAnnotation(object: UnknownObject, name: string): UnknownObject {
  const { annotations, ...metadata } = object.metadata
  if (annotations === undefined || ownField(annotations, name) === undefined) return object
  const others = omit(annotations, name)
  return { ...object, metadata: Object.keys(others).length > 0 ? { ...metadata, annotations: others } : metadata }
}
