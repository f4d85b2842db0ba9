import { anything, array, boolean, integer, map, object, type Schema, string, type StructuralSchema } from '../schema'

const PRIMITIVES = {
  $ref: string(),
  $schema: string(),
  id: string(),
  title: string(),
  description: string(),
  type: string(),
  format: string(),
  pattern: string(),
  nullable: boolean(),
  maximum: { type: 'number' },
  exclusiveMaximum: boolean(),
  minimum: { type: 'number' },
  exclusiveMinimum: boolean(),
  multipleOf: { type: 'number' },
  maxLength: integer(),
  minLength: integer(),
  maxItems: integer(),
  minItems: integer(),
  uniqueItems: boolean(),
  maxProperties: integer(),
  minProperties: integer(),
  required: array(string()),
  'x-kubernetes-preserve-unknown-fields': boolean(),
  'x-kubernetes-embedded-resource': boolean(),
  'x-kubernetes-int-or-string': boolean(),
  'x-kubernetes-list-map-keys': array(string()),
  'x-kubernetes-list-type': string(),
  'x-kubernetes-map-type': string(),
} satisfies Record<string, Schema>

/** Any JSON value, which a typed server carries as bytes. */
const raw: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

const validationRule = object(
  {
    rule: string(),
    message: string(),
    messageExpression: string(),
    reason: string(),
    fieldPath: string(),
    optionalOldSelf: boolean(),
  },
  { required: ['rule'] },
)

let made: Record<string, Schema> | undefined

function fieldsOfSchema(): Record<string, Schema> {
  const own = jsonSchemaProps as Schema
  made ??= {
    ...PRIMITIVES,
    default: raw,
    example: raw,
    enum: array(raw),
    externalDocs: object({ description: string(), url: string() }),
    properties: map(own),
    patternProperties: map(own),
    definitions: map(own),
    additionalProperties: raw,
    dependencies: anything(),
    additionalItems: raw,
    items: schemaOrList,
    allOf: array(own),
    oneOf: array(own),
    anyOf: array(own),
    not: own,
    'x-kubernetes-validations': array(validationRule, {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['rule'],
    }),
  }
  return made
}

/** What describes the items of a list. */
const schemaOrList: Schema<StructuralSchema> = {
  type: 'object',
  'x-or-list': true,
  definition: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
  get properties() {
    return fieldsOfSchema()
  },
}

/** The schema of the schemas in a CustomResourceDefinition. */
export const jsonSchemaProps: Schema<StructuralSchema> = {
  type: 'object',
  definition: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
  get properties() {
    return fieldsOfSchema()
  },
}
