/** Drops unknown fields, and reports them. */
import { mapFields, mapItems } from '@/lib/std/map-json'
import { ownProperty, type StructuralSchema } from './schema'

/** A value without unknown fields, and the paths of the removed fields in the order of occurrence. */
export interface Pruned {
  value: unknown
  unknownFields: string[]
  /** Those in the metadata of an object inside of the object. */
  inEmbedded: ReadonlySet<string>
}

/** Removes unknown fields. The argument is not changed; values without unknown fields are shared. */
export function pruneUnknown(value: unknown, schema: StructuralSchema): Pruned {
  const [unknownFields, inEmbedded] = [[] as string[], new Set<string>()]
  return { value: prune(value, schema, { step: '', unknownFields, inEmbedded }), unknownFields, inEmbedded }
}

/** Position in the value. Its path is built only for removed fields. */
interface Place {
  parent?: Place
  step: string
  unknownFields: string[]
  inEmbedded: Set<string>
  /** True in the metadata of an object inside of the object. */
  isEmbedded?: boolean
}

function pathOf(place: Place): string {
  const above = place.parent ? pathOf(place.parent) : ''
  return above && !place.step.startsWith('[') ? `${above}.${place.step}` : above + place.step
}

function below(parent: Place, step: string, isEmbedded = parent.isEmbedded): Place {
  const { unknownFields, inEmbedded } = parent
  return { parent, step, unknownFields, inEmbedded, ...(isEmbedded && { isEmbedded }) }
}

/** Without a schema, objects lose all fields. */
function prune(value: unknown, schema: StructuralSchema | undefined, place: Place): unknown {
  if (Array.isArray(value)) return pruneList(value, schema, place)
  if (typeof value !== 'object' || value === null) return value
  return mapFields(value as Record<string, unknown>, (child, name) => {
    const own = schema && childSchema(schema, name)
    if (own || schema?.additionalProperties === true) {
      const isEmbedded =
        place.isEmbedded || (name === 'metadata' && schema?.['x-kubernetes-embedded-resource'] === true)
      return typeof child === 'object' ? prune(child, own, below(place, name, isEmbedded)) : child
    }
    if (keepsUnknown(schema)) return child
    const path = pathOf(below(place, name))
    place.unknownFields.push(path)
    if (place.isEmbedded) place.inEmbedded.add(path)
    return undefined
  })
}

function pruneList(value: readonly unknown[], schema: StructuralSchema | undefined, place: Place): unknown {
  const items = schema?.['x-or-list'] ? schema : schema?.items
  if (!items && keepsUnknown(schema)) return value
  return mapItems(value, (item, index) =>
    typeof item === 'object' ? prune(item, items, below(place, `[${index}]`)) : item,
  )
}

function childSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  return (
    ownProperty(schema, name)
    ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
  )
}

function keepsUnknown(schema: StructuralSchema | undefined): boolean {
  return schema?.['x-kubernetes-preserve-unknown-fields'] === true
}
