/** The schemas inside of a schema, and questions about all of them. */
import type { StructuralSchema } from './schema'

export function partsOf({
  properties = {},
  items,
  additionalProperties: values,
}: StructuralSchema): readonly StructuralSchema[] {
  return [...Object.values(properties), ...(items ? [items] : []), ...(typeof values === 'object' ? [values] : [])]
}

/**
 * Returns the question whether a schema or a part of it fulfills a condition, because most parts of most objects need no
 * visit. Answers are remembered; `known` has some already.
 */
export function anyPart(
  fulfills: (schema: StructuralSchema) => boolean,
  known = new WeakMap<StructuralSchema, boolean>(),
): (schema: StructuralSchema) => boolean {
  const holds = (schema: StructuralSchema): boolean => {
    const remembered = known.get(schema)
    if (remembered !== undefined) return remembered
    // A schema may hold itself, as that of schemas does.
    known.set(schema, false)
    const answer = fulfills(schema) || partsOf(schema).some(holds)
    known.set(schema, answer)
    return answer
  }
  return holds
}
