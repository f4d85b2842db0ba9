/**
 * The form in which a typed server writes an object back: nulls are gone, and so are empty lists, maps, texts, zeros
 * and false, unless the field is required or a pointer. A null in a list or map of texts is an empty text.
 */
import { isFields, ownField, setField } from '@/lib/std/fields'
import { mapFields, mapItems } from '@/lib/std/map-json'
import { omit } from '@/lib/std/omit'
import { ownProperty, type StructuralSchema } from './schema'
import { isQuantity } from './schema-canonical'

/**
 * Fields that keep zero, false, the empty text and the empty list. Entries are a field, with its parent (`spec.replicas`), or
 * with that and the field that holds it (`volumes.csi.readOnly`).
 */
export type PointerFields = ReadonlySet<string>

/** The value as a typed server would write it. Fields the schema does not spell out stay as they are. */
export function encodeLikeGo(value: unknown, schema: StructuralSchema, pointers: PointerFields): unknown {
  return encode(value, schema, { above: '', parent: '', pointers })
}

interface Place {
  /** The field that holds the one of `parent`. */
  above: string
  parent: string
  pointers: PointerFields
}

function encode(value: unknown, schema: StructuralSchema, place: Place): unknown {
  if (Array.isArray(value)) return encodeList(value, schema, place)
  if (!isFields(value)) return value
  const empty: Record<string, unknown> = {}
  const encoded = mapFields(value, (child, name) => {
    const own = ownProperty(schema, name)
    if (!own) return encodeValue(child, schema, place)
    const field = encodeField(child, own, { name, place })
    if (!isOmittedByGo(field, own, { name, schema, place })) return field
    if (isRepeated(name, place) && typeof field === 'object' && field !== null) setField(empty, name, field)
    return undefined
  })
  return Object.keys(empty).length > 0 ? { ...encoded, [SENT_EMPTY]: empty } : encoded
}

/** Fields that refusals repeat as they were sent, also when they are empty: in any place, or in this one. */
const REPEATED = new Set([
  'accessModes',
  'add',
  'args',
  'behavior.scaleDown.policies',
  'behavior.scaleUp.policies',
  'capacity',
  'claims',
  'command',
  'containers',
  'drop',
  'env',
  'envFrom',
  'hostAliases',
  'hostnames',
  'httpHeaders',
  'imagePullSecrets',
  'initContainers',
  'items',
  'limits',
  'matchExpressions',
  'matchFields',
  'matchLabelKeys',
  'mismatchLabelKeys',
  'monitors',
  'nameservers',
  'namespaces',
  'nodeSelector',
  'nodeSelectorTerms',
  'onPodConditions',
  'options',
  'overhead',
  'parameters',
  'portals',
  'ports',
  'preferredDuringSchedulingIgnoredDuringExecution',
  'readinessGates',
  'requests',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'resizePolicy',
  'resourceClaims',
  'restartPolicyRules',
  'rules',
  'schedulingGates',
  'searches',
  'sources',
  'supplementalGroups',
  'sysctls',
  'targetWWNs',
  'template.metadata.labels',
  'tolerations',
  'topologySpreadConstraints',
  'userAnnotations',
  'values',
  'volumeAttributes',
  'volumeDevices',
  'volumeMounts',
  'volumes',
  'wwids',
])

function isRepeated(name: string, { above, parent }: Place): boolean {
  return REPEATED.has(name) || REPEATED.has(`${above}.${parent}.${name}`)
}

/** A symbol is copied with the object's fields and never written to JSON. */
const SENT_EMPTY = Symbol('lists and maps that were sent empty')

interface Sent {
  [SENT_EMPTY]?: Readonly<Record<string, unknown>>
}

/** What refusals show of a list or map that is absent: null, unless it was sent empty. */
export function emptyOrNull(holder: unknown, field: string): unknown {
  const sent = (holder as Sent | undefined)?.[SENT_EMPTY]
  return (sent && ownField(sent, field)) ?? null
}

/** The value as it is kept: nothing tells any more what was sent empty. */
export function withoutSentEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return mapItems(value, withoutSentEmpty)
  return isFields(value) ? mapFields(withoutOwnSentEmpty(value), withoutSentEmpty) : value
}

/** The same for the value itself; its parts are left as they are. */
export function withoutOwnSentEmpty(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return SENT_EMPTY in value ? omit(value as Sent, SENT_EMPTY) : value
}

function encodeField(
  value: unknown,
  schema: StructuralSchema,
  { name, place }: { name: string; place: Place },
): unknown {
  return typeof value === 'object'
    ? encode(value, schema, { above: place.parent, parent: name, pointers: place.pointers })
    : value
}

function encodeList(value: readonly unknown[], schema: StructuralSchema, place: Place): unknown {
  const { items } = schema
  if (!items) return value
  return mapItems(value, (item) => (item === null ? zeroOf(items, place.pointers) : encode(item, items, place)))
}

function encodeValue(value: unknown, schema: StructuralSchema, place: Place): unknown {
  const values = schema.additionalProperties
  if (typeof values !== 'object') return value
  return value === null ? zeroOf(values, place.pointers) : encode(value, values, place)
}

interface Field {
  name: string
  schema: StructuralSchema
  place: Place
}

function isOmittedByGo(value: unknown, own: StructuralSchema, { name, schema, place }: Field): boolean {
  if (value === null || value === undefined) return true
  if (isRaw(own)) return false
  if (!isEmpty(value, own) || schema.required?.includes(name)) return false
  if (typeof value === 'object') return !place.pointers.has(name)
  return !isPointer(name, place)
}

function isPointer(name: string, { above, parent, pointers }: Place): boolean {
  return pointers.has(name) || pointers.has(`${parent}.${name}`) || pointers.has(`${above}.${parent}.${name}`)
}

/** A field of any JSON value, which a typed server carries as bytes. */
function isRaw(schema: StructuralSchema): boolean {
  if (schema['x-or-any']) return true
  return schema.type === undefined && schema['x-kubernetes-preserve-unknown-fields'] === true
}

/** Reports whether `omitempty` omits the value: an empty struct is kept, an empty list or map is omitted. */
function isEmpty(value: unknown, schema: StructuralSchema): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isFields(value)) return schema.additionalProperties !== undefined && Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}

/**
 * Returns the value with the zero of its type in each missing required field, as a typed server writes structs: an
 * empty string, 0, false, an empty object, and null for a list or a time. Those that are pointers stay away.
 */
export function fillRequired(value: unknown, schema: StructuralSchema, pointers: PointerFields = NONE): unknown {
  if (Array.isArray(value)) {
    return schema.items ? mapItems(value, (item) => fillRequired(item, schema.items!, pointers)) : value
  }
  if (!isFields(value)) return value
  const filled = mapFields(value, (child, name) => {
    const own = ownProperty(schema, name)
    return own ? fillRequired(child, own, pointers) : child
  })
  const missing = (schema.required ?? []).filter((name) => ownField(value, name) === undefined && !pointers.has(name))
  if (missing.length === 0) return filled
  const zeros = missing.map((name): [string, unknown] => [name, zeroOf(ownProperty(schema, name) ?? {}, pointers)])
  return { ...filled, ...Object.fromEntries(zeros) }
}

const NONE: PointerFields = new Set()

function zeroOf(schema: StructuralSchema, pointers: PointerFields): unknown {
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? null : ''
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'object':
      return fillRequired({}, schema, pointers)
    default:
      if (schema['x-kubernetes-int-or-string']) return isQuantity(schema) ? '0' : 0
      return null
  }
}
