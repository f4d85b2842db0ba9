/** The versions of a definition as kube-apiserver keeps them and repeats them in a refusal: as structs without JSON names. */
import { deepEqual } from '@/lib/std/equal'
import type { DefinitionVersion } from '../kinds/custom-resource-definition'
import type { StructuralSchema } from '../schema'

/** Parts that are the same in every version belong to the whole definition, as kube-apiserver keeps them. */
export interface Shared {
  schema: boolean
  subresources: boolean
  columns: boolean
  selectable: boolean
}

export function sharedBy([first, ...others]: readonly DefinitionVersion[]): Shared {
  const isShared = (part: keyof DefinitionVersion): boolean =>
    first?.[part] !== undefined && others.every((other) => deepEqual(other[part], first[part]))
  return {
    schema: isShared('schema'),
    subresources: isShared('subresources'),
    columns: isShared('additionalPrinterColumns'),
    selectable: isShared('selectableFields'),
  }
}

/** The versions without what they share. */
export function shownVersions(versions: readonly DefinitionVersion[], shared: Shared): object[] {
  return versions.map((version) => {
    const { schema, subresources, additionalPrinterColumns, selectableFields } = version
    return {
      Name: version.name ?? '',
      Served: version.served ?? false,
      Storage: version.storage ?? false,
      Deprecated: version.deprecated ?? false,
      DeprecationWarning: version.deprecationWarning ?? null,
      Schema:
        schema && !shared.schema
          ? { OpenAPIV3Schema: schema.openAPIV3Schema ? shownSchema(schema.openAPIV3Schema as StructuralSchema) : null }
          : null,
      Subresources: subresources && !shared.subresources ? shownSubresources(subresources) : null,
      AdditionalPrinterColumns:
        additionalPrinterColumns && !shared.columns ? additionalPrinterColumns.map(shownColumn) : null,
      SelectableFields:
        selectableFields && !shared.selectable
          ? selectableFields.map(({ jsonPath }) => ({ JSONPath: jsonPath ?? '' }))
          : null,
    }
  })
}

function shownSubresources({ status, scale }: NonNullable<DefinitionVersion['subresources']>): object {
  return {
    Status: status ? {} : null,
    Scale: scale
      ? {
          SpecReplicasPath: scale.specReplicasPath ?? '',
          StatusReplicasPath: scale.statusReplicasPath ?? '',
          LabelSelectorPath: scale.labelSelectorPath ?? null,
        }
      : null,
  }
}

function shownColumn(column: NonNullable<DefinitionVersion['additionalPrinterColumns']>[number]): object {
  return {
    Name: column.name ?? '',
    Type: column.type ?? '',
    Format: column.format ?? '',
    Description: column.description ?? '',
    Priority: column.priority ?? 0,
    JSONPath: column.jsonPath ?? '',
  }
}

type Given = Readonly<Record<string, unknown>>
const schemaOrNull = (schema: unknown): object | null => (schema ? shownSchema(schema as StructuralSchema) : null)
const listOrNull = (list: readonly StructuralSchema[] | undefined): object[] | null => list?.map(shownSchema) ?? null
const schemaOrBool = (value: unknown): object | null => {
  if (value === undefined) return null
  return { Allows: value !== false, Schema: typeof value === 'object' ? schemaOrNull(value) : null }
}
const namedOrNull = (fields: unknown): object | null =>
  fields
    ? Object.fromEntries(
        Object.entries(fields as Record<string, StructuralSchema>)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, child]) => [name, shownSchema(child)]),
      )
    : null

function shownSchema(schema: StructuralSchema): object {
  const given = schema as Given
  const { externalDocs } = given as { externalDocs?: { description?: string; url?: string } }
  return {
    ID: given['id'] ?? '',
    Schema: given['$schema'] ?? '',
    Ref: given['$ref'] ?? null,
    Description: schema.description ?? '',
    Type: schema.type ?? '',
    Nullable: schema.nullable ?? false,
    Format: schema.format ?? '',
    Title: schema.title ?? '',
    Default: schema.default ?? null,
    Maximum: schema.maximum ?? null,
    ExclusiveMaximum: schema.exclusiveMaximum ?? false,
    Minimum: schema.minimum ?? null,
    ExclusiveMinimum: schema.exclusiveMinimum ?? false,
    MaxLength: schema.maxLength ?? null,
    MinLength: schema.minLength ?? null,
    Pattern: schema.pattern ?? '',
    MaxItems: schema.maxItems ?? null,
    MinItems: schema.minItems ?? null,
    UniqueItems: schema.uniqueItems ?? false,
    MultipleOf: schema.multipleOf ?? null,
    Enum: schema.enum ?? null,
    MaxProperties: schema.maxProperties ?? null,
    MinProperties: schema.minProperties ?? null,
    Required: schema.required ?? null,
    Items: schema.items ? { Schema: shownSchema(schema.items), JSONSchemas: null } : null,
    AllOf: listOrNull(schema.allOf),
    OneOf: listOrNull(schema.oneOf),
    AnyOf: listOrNull(schema.anyOf),
    Not: schemaOrNull(schema.not),
    Properties: namedOrNull(schema.properties),
    AdditionalProperties: schemaOrBool(schema.additionalProperties),
    PatternProperties: namedOrNull(given['patternProperties']),
    Dependencies: given['dependencies'] ?? null,
    AdditionalItems: schemaOrBool(given['additionalItems']),
    Definitions: namedOrNull(given['definitions']),
    ExternalDocs: externalDocs ? { Description: externalDocs.description ?? '', URL: externalDocs.url ?? '' } : null,
    Example: given['example'] ?? null,
    XPreserveUnknownFields: given['x-kubernetes-preserve-unknown-fields'] ?? null,
    XEmbeddedResource: schema['x-kubernetes-embedded-resource'] ?? false,
    XIntOrString: schema['x-kubernetes-int-or-string'] ?? false,
    XListMapKeys: schema['x-kubernetes-list-map-keys'] ?? null,
    XListType: schema['x-kubernetes-list-type'] ?? null,
    XMapType: schema['x-kubernetes-map-type'] ?? null,
    XValidations: schema['x-kubernetes-validations']?.map(shownRule) ?? null,
  }
}

/** A rule as kube-apiserver repeats it in a refusal. */
export function shownRule(rule: NonNullable<StructuralSchema['x-kubernetes-validations']>[number]): object {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  }
}
