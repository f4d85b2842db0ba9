/** How a manifest tells which generation of its template it was made from. */
import { TEMPLATE_GENERATION_ANNOTATION } from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import { InterpretError } from './interpret-error'

/** The generation of the template. Throws an InterpretError when the annotation is missing or no number. */
export function templateGenerationOf(object: Pick<UnknownObject, 'metadata'>): number {
  const value = object.metadata.annotations?.[TEMPLATE_GENERATION_ANNOTATION] ?? ''
  if (!/^[+-]?\d+$/.test(value)) {
    throw new InterpretError(`annotation ${TEMPLATE_GENERATION_ANNOTATION}: ${JSON.stringify(value)} is not a number`)
  }
  return Number(value)
}
