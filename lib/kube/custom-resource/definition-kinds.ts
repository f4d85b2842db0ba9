/** The kinds that a CustomResourceDefinition defines: one for each version. */
import { apiVersionOf, type Kind, type PrinterColumn, type StoredForm } from '../kind'
import type { CustomResourceDefinition, DefinitionVersion } from '../kinds/custom-resource-definition'
import type { KubeObject, UnknownObject } from '../object'
import { objectMeta } from '../object-meta'
import type { Schema, StructuralSchema } from '../schema'
import { applyDefaults, dropNulls } from '../schema-default'
import { pruneUnknown } from '../schema-prune'

/** The kinds of a definition, under its accepted names. Versions that are not served are kept for stored objects. */
export function kindsOf(definition: CustomResourceDefinition): Kind[] {
  const { versions } = definition.spec
  const kinds = versions.map((version) => kindOf(definition, version))
  const storage = kinds[versions.findIndex((version) => version.storage)]
  if (!storage) return []
  // Objects stored under the only schema need no conversion.
  const asWritten = versions.length === 1 && (definition.metadata.generation ?? 1) === 1
  return asWritten ? kinds : kinds.map((kind) => ({ ...kind, storedAs: storedAs(kind, { kinds, storage }) }))
}

/**
 * Objects are read by the schema of the version that they were stored in, which drops unknown fields and applies defaults.
 * Each conversion drops the fields that the other version lacks.
 */
function storedAs(kind: Kind, { kinds, storage }: { kinds: readonly Kind[]; storage: Kind }): StoredForm {
  const versions = new Map(kinds.map((one) => [apiVersionOf(one), one]))
  const as =
    (form: Kind) =>
    (object: UnknownObject): UnknownObject => {
      const apiVersion = apiVersionOf(form)
      return object.apiVersion === apiVersion ? object : clean({ ...object, apiVersion }, form)
    }
  const show = as(kind)
  const read = (object: UnknownObject): UnknownObject => {
    const form = versions.get(object.apiVersion) ?? storage
    return show(applyDefaults(clean(object, form), form.schema))
  }
  return { group: storage.group, version: storage.version, read, write: as(storage), forgets: true, versions }
}

function clean(object: UnknownObject, { schema }: Kind): UnknownObject {
  return dropNulls(pruneUnknown(object, schema).value as UnknownObject, schema)
}

function kindOf({ spec, status }: CustomResourceDefinition, version: DefinitionVersion): Kind {
  const {
    plural,
    kind,
    singular = kind.toLowerCase(),
    listKind = `${kind}List`,
    shortNames = [],
    categories = [],
  } = status?.acceptedNames ?? spec.names
  const { name, served, subresources = {}, additionalPrinterColumns = [], selectableFields = [] } = version
  const deprecation = deprecationOf(spec, version)
  return {
    group: spec.group,
    version: name,
    kind,
    listKind,
    plural,
    singular,
    shortNames,
    categories,
    scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    origin: 'crd',
    subresources: {
      status: subresources.status !== undefined,
      ...(subresources.scale && { scale: subresources.scale }),
    },
    printerColumns: additionalPrinterColumns as PrinterColumn[],
    ...(!served && { unserved: true }),
    ...(deprecation !== undefined && { deprecation }),
    selectableFields: selectableFields.map(({ jsonPath }) => jsonPath),
    schema: wholeSchema(version.schema?.openAPIV3Schema ?? ANYTHING),
  }
}

const ANYTHING: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

function deprecationOf(
  { group, names }: CustomResourceDefinition['spec'],
  version: DefinitionVersion,
): string | undefined {
  if (!version.deprecated) return undefined
  return version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated`
}

/** The schema of whole objects: what every object has is there, also in objects that are embedded. */
function wholeSchema(schema: StructuralSchema): Schema<KubeObject> {
  return withIdentity(withEmbedded(schema)) as Schema<KubeObject>
}

function withEmbedded(schema: StructuralSchema): StructuralSchema {
  const { properties, items, additionalProperties } = schema
  const inside: StructuralSchema = {
    ...schema,
    ...(properties && { properties: mapValues(properties, withEmbedded) }),
    ...(items && { items: withEmbedded(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: withEmbedded(additionalProperties) }),
  }
  return schema['x-kubernetes-embedded-resource'] ? withIdentity(inside) : inside
}

function withIdentity(schema: StructuralSchema): StructuralSchema {
  const { apiVersion, kind } = schema.properties ?? {}
  const text: StructuralSchema = { type: 'string' }
  const identity = { apiVersion: apiVersion ?? text, kind: kind ?? text, metadata: objectMeta }
  return { ...schema, properties: { ...schema.properties, ...identity } }
}

function mapValues(
  fields: Readonly<Record<string, StructuralSchema>>,
  change: (schema: StructuralSchema) => StructuralSchema,
): Record<string, StructuralSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, child]) => [name, change(child)]))
}
