/** What `x-kubernetes-list-type` demands of the lists in a custom object: upstream's ValidateListSetsAndMaps. */
import { canonicalText } from '@/lib/std/canonical'
import { isFields, ownField } from '@/lib/std/fields'
import { duplicateField, type FieldError, invalidField } from '../field-error'
import { ownProperty, type StructuralSchema } from '../schema'
import { anyPart } from '../schema-parts'
import { identityOf } from '../schema-validate'

const holdsIdentities = anyPart((schema) => identityOf(schema) !== undefined)

/** The findings about every list in a value. */
export function validateListTypes(value: unknown, schema: StructuralSchema, field = ''): FieldError[] {
  if (!holdsIdentities(schema)) return []
  if (Array.isArray(value)) return validateList(value, schema, field)
  if (!isFields(value)) return []
  const { additionalProperties: values } = schema
  return Object.keys(value).flatMap((name) => {
    const own = ownProperty(schema, name)
    if (own) return validateListTypes(ownField(value, name), own, field ? `${field}.${name}` : name)
    return typeof values === 'object' ? validateListTypes(ownField(value, name), values, `${field}[${name}]`) : []
  })
}

/** The same of a changed object. Nothing is held against one whose lists were wrong before. */
export function validateListTypesChange(value: unknown, old: unknown, schema: StructuralSchema): FieldError[] {
  const findings = validateListTypes(value, schema)
  return findings.length > 0 && validateListTypes(old, schema).length > 0 ? [] : findings
}

function validateList(list: readonly unknown[], schema: StructuralSchema, field: string): FieldError[] {
  const { items } = schema
  const inside = items ? list.flatMap((item, index) => validateListTypes(item, items, `${field}[${index}]`)) : []
  return [...validateItems(list, schema, field), ...inside]
}

const NO_OBJECT = 'must be an object for an array of list-type map'

function validateItems(list: readonly unknown[], schema: StructuralSchema, field: string): FieldError[] {
  const foreign = list.findIndex((item) => item !== null && !isFields(item))
  if (schema['x-kubernetes-list-type'] === 'map' && foreign >= 0)
    return [invalidField(`${field}[${foreign}]`, list[foreign], NO_OBJECT)]
  const identity = identityOf(schema)
  if (!identity) return []
  const times = new Map<string, number>()
  return list.flatMap((item, index) => {
    const own = identity(item)
    const text = canonicalText(own)
    const before = times.get(text) ?? 0
    times.set(text, before + 1)
    // A value is named once, however often it is repeated.
    return before === 1 ? [duplicateField(`${field}[${index}]`, own)] : []
  })
}
