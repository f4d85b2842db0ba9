/** Classifies changes of a template: whether they affect its binding, and whether a user made them. */
import { SKIP_AUTO_PROPAGATION_LABEL } from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import { deepEqual } from '../../std/equal'
import type { Words } from './binding-form'

/** Reports whether anything changed except the status and metadata of the server. */
export function isTemplateChange(old: UnknownObject, next: UnknownObject): boolean {
  return !deepEqual(essence(old), essence(next))
}

/** Reports whether a user changed the template, and not only the control plane its marks. */
export function isUserChange(old: UnknownObject, next: UnknownObject): boolean {
  return !deepEqual(withoutMarks(essence(old)), withoutMarks(essence(next)))
}

function essence(object: UnknownObject): UnknownObject {
  const metadata = { ...object.metadata, managedFields: undefined, resourceVersion: '' }
  return { ...object, status: undefined, metadata }
}

function withoutMarks(object: UnknownObject): object {
  const { generation: _generation, labels, annotations, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, labels: usersOwn(labels), annotations: usersOwn(annotations) } }
}

function usersOwn(words: Words = {}): Words {
  const isOwn = (key: string): boolean => !key.includes('.karmada.io') || key === SKIP_AUTO_PROPAGATION_LABEL
  return Object.fromEntries(Object.entries(words).filter(([key]) => isOwn(key)))
}
