/** Reads the generation of the template from which a manifest was made. */
import { TEMPLATE_GENERATION_ANNOTATION } from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import { InterpretError } from './interpret-error'

/** Returns the generation of the template. Throws an InterpretError if the annotation is missing or not a number. */
export function templateGenerationOf(object: Pick<UnknownObject, 'metadata'>): number {
  const value = object.metadata.annotations?.[TEMPLATE_GENERATION_ANNOTATION] ?? ''
  if (!/^[+-]?\d+$/.test(value)) {
    throw new InterpretError(`annotation ${TEMPLATE_GENERATION_ANNOTATION}: ${JSON.stringify(value)} is not a number`)
  }
  return Number(value)
}
