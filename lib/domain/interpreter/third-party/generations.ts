/** Generations that most statuses carry from the member to the template. */
import { TEMPLATE_GENERATION_ANNOTATION } from '../../../kube/names'
import type { UnknownObject } from '../../../kube/object'
import { fieldsIn } from '../json-fields'
import type { MemberStatus } from '../member-status'
import type { Fields } from '../shape'
import { numberOr, picked } from './rule'

/** Returns a reflection of these fields, with the generation of the object and that of its template. */
export const reflectionWithGenerations =
  (names: readonly string[]) =>
  (object: UnknownObject): Fields => {
    if (object.status === undefined) return {}
    const templateGeneration = numberOr(object.metadata.annotations?.[TEMPLATE_GENERATION_ANNOTATION], undefined)
    return {
      ...picked(fieldsIn(object.status), names),
      ...(object.metadata.generation !== undefined && { generation: object.metadata.generation }),
      ...(templateGeneration !== undefined && { resourceTemplateGeneration: templateGeneration }),
    }
  }

/** Returns a reflection of these fields only. */
export const reflectionOf =
  (names: readonly string[]) =>
  (object: UnknownObject): Fields =>
    picked(fieldsIn(object.status), names)

/** Returns the template's generation if every member has observed it; otherwise the previously observed one. */
export function observedGenerationOf(template: UnknownObject, old: Fields, items: readonly MemberStatus[]): number {
  const generation = generationOf(template)
  const hasObserved = ({ status = {} }: MemberStatus): boolean =>
    numberOr(status.resourceTemplateGeneration, 0) === generation
    && numberOr(status.generation, 0) === numberOr(status.observedGeneration, 0)
  return items.every(hasObserved) ? generation : numberOr(old.observedGeneration, 0)
}

export const generationOf = ({ metadata }: UnknownObject): number => metadata.generation ?? 0
