/**
 * The schema language in which every kind is written once.
 *
 * A schema is a plain Kubernetes structural schema (the subset of OpenAPI v3 that a CustomResourceDefinition
 * carries) whose TypeScript type is inferred. From the same value come the type (`Infer`), the validation and
 * defaulting of the API server, the published OpenAPI document and the CustomResourceDefinition.
 */
import { ownField } from '@/lib/std/fields'

/** A rule in CEL that every value of a schema has to keep (`x-kubernetes-validations`). */
export interface ValidationRule {
  rule: string
  message?: string
  messageExpression?: string
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate'
  /** Where the finding is reported, relative to the value: `.min`, `['a.b']`. */
  fieldPath?: string
  /** True when the rule reads the old value as an optional, and is therefore evaluated on creation too. */
  optionalOldSelf?: boolean
}

/** The fields of a structural schema, as a CustomResourceDefinition spells them. */
export interface StructuralSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  /** Under which name published documents refer to the schema; needed by one that contains itself. */
  definition?: string
  title?: string
  description?: string
  format?: string
  properties?: Readonly<Record<string, StructuralSchema>>
  required?: readonly string[]
  additionalProperties?: StructuralSchema | boolean
  items?: StructuralSchema
  /** True where a list of such values is read as well, and refused only by a rule. */
  'x-or-list'?: true
  /** True where any value is read, and refused only by a rule. */
  'x-or-any'?: true
  enum?: readonly unknown[]
  default?: unknown
  pattern?: string
  minimum?: number
  exclusiveMinimum?: boolean
  maximum?: number
  exclusiveMaximum?: boolean
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  nullable?: boolean
  allOf?: readonly StructuralSchema[]
  anyOf?: readonly StructuralSchema[]
  oneOf?: readonly StructuralSchema[]
  not?: StructuralSchema
  'x-kubernetes-preserve-unknown-fields'?: true
  'x-kubernetes-embedded-resource'?: true
  'x-kubernetes-int-or-string'?: true
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  'x-kubernetes-list-map-keys'?: readonly string[]
  'x-kubernetes-map-type'?: 'atomic' | 'granular'
  'x-kubernetes-validations'?: readonly ValidationRule[]
  'x-kubernetes-patch-strategy'?: 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys'
  'x-kubernetes-patch-merge-key'?: string
}

/** A structural schema that remembers the TypeScript type of the values it admits. */
export interface Schema<out T = unknown> extends StructuralSchema {
  /** Never present at run time; carries the inferred type. */
  readonly __type?: T
}

/** The TypeScript type of the values that a schema admits. */
export type Infer<S> = S extends Schema<infer T> ? T : never

type Options = Omit<StructuralSchema, 'type' | 'properties' | 'required' | 'items' | 'additionalProperties' | 'enum'>
type Properties = Record<string, Schema>
type ObjectValue<P extends Properties, R extends keyof P> = { [K in R]: Infer<P[K]> } & {
  [K in Exclude<keyof P, R>]?: Infer<P[K]>
}
type Flat<T> = { [K in keyof T]: T[K] }

/** An object with named fields; every field not listed in `required` is optional. */
export function object<P extends Properties, const R extends keyof P & string = never>(
  properties: P,
  options: Options & { required?: readonly R[] } = {},
): Schema<Flat<ObjectValue<P, R>>> {
  return { type: 'object', properties, ...options }
}

/** An object with arbitrary keys and values of one schema. */
export function map<T>(values: Schema<T>, options: Options = {}): Schema<Record<string, T>> {
  return { type: 'object', additionalProperties: values, ...options }
}

/** An object whose unknown fields are kept as they are. */
export function anything(options: Options = {}): Schema<Record<string, unknown>> {
  return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...options }
}

/** A list of items of one schema. */
export function array<T>(items: Schema<T>, options: Options = {}): Schema<T[]> {
  return { type: 'array', items, ...options }
}

/** A text. */
export function string(options: Options = {}): Schema<string> {
  return { type: 'string', ...options }
}

/** A text out of a closed list. */
export function oneOf<const V extends string>(values: readonly V[], options: Options = {}): Schema<V> {
  return { type: 'string', enum: values, ...options }
}

/** An RFC 3339 time in UTC with whole seconds, as `metav1.Time` is written. */
export function time(options: Options = {}): Schema<string> {
  return { type: 'string', format: 'date-time', ...options }
}

/** A whole number without a stated size. */
export function integer(options: Options = {}): Schema<number> {
  return { type: 'integer', ...options }
}

/** A whole number of 32 bits. */
export function int32(options: Options = {}): Schema<number> {
  return { type: 'integer', format: 'int32', ...options }
}

/** A whole number of 64 bits; values beyond 2^53 are not representable and are refused by validation. */
export function int64(options: Options = {}): Schema<number> {
  return { type: 'integer', format: 'int64', ...options }
}

/** True or false. */
export function boolean(options: Options = {}): Schema<boolean> {
  return { type: 'boolean', ...options }
}

/** A whole number or a text, as `intstr.IntOrString` is written. */
export function intOrString(options: Options = {}): Schema<number | string> {
  return { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true, ...options }
}

const NUMBER = '(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))'
const QUANTITY = `^(\\+|-)?${NUMBER}(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?${NUMBER}))?$`

/** A resource quantity such as `500m` or `2Gi`. */
export function quantity(): Schema<number | string> {
  return intOrString({ pattern: QUANTITY })
}

/** The schema of a field that a schema names; names such as `constructor` are nothing special. */
export function ownProperty({ properties }: StructuralSchema, name: string): StructuralSchema | undefined {
  return properties && ownField(properties, name)
}
