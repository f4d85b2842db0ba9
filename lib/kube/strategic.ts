/**
 * Strategic merge patches: like a merge patch, but lists that have a merge key in the schema are merged item by item.
 *
 * Directives understood: `$patch` (`replace`, `delete`) in objects and in items of keyed lists, `$retainKeys` for one-of
 * structures, `$deleteFromPrimitiveList/<field>` and `$setElementOrder/<field>`. A value that the document does not
 * have, or has of another type, is taken from the patch as it is.
 */
import { canonicalText } from '@/lib/std/canonical'
import { cloneJson } from '@/lib/std/clone'
import { isFields, ownField, removeField, setField } from '@/lib/std/fields'
import { omit } from '@/lib/std/omit'
import { kubeError } from './errors'
import { goText, goTypeOf } from './go-text'
import { ownProperty, type StructuralSchema } from './schema'
import { newPatchMarks, type PatchMarks, withoutDirectives } from './strategic-repeated'

type Fields = Record<string, unknown>

const DELETE_FROM_LIST = '$deleteFromPrimitiveList/'
const SET_ORDER = '$setElementOrder/'

/**
 * Applies a strategic merge patch to a document of the given schema. Neither argument changes. Throws a KubeError, as
 * kube-apiserver answers: 500 for a list item without its merge key, a directive that is unknown or an order of
 * something that is no list, 400 for a list of keys that is none; and 400 for an item that is null, where
 * kube-apiserver's merge fails with a fault of its own. `type` is the name of the document's type.
 */
export function applyStrategicPatch(
  document: unknown,
  patch: unknown,
  schema: StructuralSchema,
  { type = 'Object', trace = newPatchMarks() }: { type?: string; trace?: PatchMarks } = {},
): unknown {
  if (!isFields(patch)) throw kubeError(400, 'BadRequest', 'a strategic merge patch must be an object')
  return mergeObject(isFields(document) ? document : {}, patch, { schema, type, trace })
}

/** What is known of the place of an object. */
interface Place {
  schema: StructuralSchema | undefined
  /** The name of its type, for refusals. */
  type: string
  /** Notes what merging does to the patch. */
  trace: PatchMarks
}

function mergeObject(original: Fields, patch: Fields, place: Place): Fields {
  const directive = patch.$patch
  if (directive === 'replace') {
    place.trace.read.set(patch, ['$patch'])
    return omit(patch, '$patch')
  }
  if (directive === 'delete') return {}
  if (directive !== undefined) throw unknownDirective(patch)
  const merged = retainKeys(original, patch)
  place.trace.read.set(patch, fieldsRead(original, patch))
  checkOrders(merged, patch, place)
  for (const [key, value] of Object.entries(patch)) mergeField(merged, key, value, { patch, ...place })
  return merged
}

/** Directives are read once, and so is a list that is in order by then. */
function fieldsRead(original: Fields, patch: Fields): string[] {
  const orders = Object.keys(patch).filter((name) => name.startsWith(SET_ORDER))
  const lists = orders.map((name) => name.slice(SET_ORDER.length))
  return [
    '$retainKeys',
    ...orders,
    ...lists.filter((name) => Object.hasOwn(original, name) || Object.hasOwn(patch, name)),
  ]
}

function retainKeys(original: Fields, patch: Fields): Fields {
  if (!Object.hasOwn(patch, '$retainKeys')) return { ...original }
  const given = patch.$retainKeys
  const retained = new Set<unknown>(asList(given))
  // What the patch removes need not be retained.
  const isForeign = (key: string): boolean => !key.startsWith('$') && patch[key] !== null && !retained.has(key)
  if (!Array.isArray(given) || Object.keys(patch).some(isForeign))
    throw kubeError(400, 'BadRequest', 'invalid patch format of retainKeys')
  return Object.fromEntries(Object.entries(original).filter(([key]) => retained.has(key)))
}

/** An order is a list, and is that of a list which the type has. */
function checkOrders(merged: Fields, patch: Fields, { schema, type }: Place): void {
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(SET_ORDER)) continue
    const field = directive.slice(SET_ORDER.length)
    for (const list of [order, ownField(merged, field), ownField(patch, field)])
      if (list !== undefined && !Array.isArray(list))
        throw kubeError(500, '', `expected a []interface {}, but received a ${goTypeOf(list)}`)
    if (!schema) continue
    if (!schema.properties)
      throw kubeError(500, '', 'merging an object in json but data type is not struct, instead is: map')
    const own = ownProperty(schema, field)
    if (!own) throw kubeError(500, '', `unable to find api field in struct ${type} for the json field "${field}"`)
    const key = own['x-kubernetes-patch-merge-key']
    const keyless = key === undefined ? undefined : asList(order).find((item) => !Object.hasOwn(asFields(item), key))
    if (keyless !== undefined) throw missingKey(asFields(keyless), key!)
    checkOrder(asList(ownField(patch, field)), asList(order), key)
  }
}

/** What the patch has of a list stands in the order that it gives for the list. */
function checkOrder(items: readonly unknown[], order: readonly unknown[], key: string | undefined): void {
  const identity = (item: unknown): unknown => (key === undefined ? item : ownField(asFields(item), key))
  const kept = key === undefined ? items : items.filter((item) => asFields(item).$patch !== 'delete')
  if (kept.length === 0 || order.length === 0) return
  let at = 0
  for (const item of order) {
    if (at === kept.length) break
    const next = asFields(kept[at])
    if (key !== undefined && !Object.hasOwn(next, key)) throw missingKey(next, key)
    if (identity(kept[at]) === identity(item)) at += 1
  }
  if (at === kept.length) return
  const [patched, wanted] = [goText(items), goText(order)]
  throw kubeError(500, '', `The order in patch list:\n${patched}\n doesn't match $setElementOrder list:\n${wanted}\n`)
}

interface MergeContext extends Place {
  patch: Fields
}

function mergeField(merged: Fields, key: string, value: unknown, { patch, schema, type, trace }: MergeContext): void {
  if (key === '$patch' || key === '$retainKeys') return
  if (key.startsWith(DELETE_FROM_LIST)) return deleteFromList(merged, key.slice(DELETE_FROM_LIST.length), value)
  if (key.startsWith(SET_ORDER)) {
    const field = key.slice(SET_ORDER.length)
    if (!Object.hasOwn(patch, field)) reorder(merged, field, value, fieldSchema(schema, field))
    return
  }
  const own = fieldSchema(schema, key)
  const order = ownField(patch, `${SET_ORDER}${key}`)
  const present = ownField(merged, key)
  if (value === null) removeField(merged, key)
  else if (own?.['x-kubernetes-patch-strategy'] === 'replace' && isFields(value) && isFields(present)) {
    // A map that is replaced is taken as it is, and so is a list.
    setField(merged, key, cloneJson(value))
  } else if (Array.isArray(value) && Array.isArray(present) && mergesItems(own)) {
    const list = mergeList(present, value, { schema: own, type: typeOf(type, key), trace })
    setField(merged, key, Array.isArray(order) ? sortInto(list, order, value, { before: present, schema: own }) : list)
  } else if (Array.isArray(value) && Array.isArray(present)) {
    setField(merged, key, cloneJson(value))
  } else if (isFields(value) && isFields(present))
    setField(merged, key, mergeObject(present, value, { schema: own, type: typeOf(type, key), trace }))
  else {
    trace.taken.add(value)
    const whole = withoutDirectives(value)
    if (whole === undefined) removeField(merged, key)
    else setField(merged, key, whole)
  }
}

/** Names of the types behind fields that occur in many kinds. */
const TYPES: Readonly<Record<string, string>> = {
  metadata: 'ObjectMeta',
  template: 'PodTemplateSpec',
  containers: 'Container',
  initContainers: 'Container',
  resources: 'ResourceRequirements',
  env: 'EnvVar',
  valueFrom: 'EnvVarSource',
  volumes: 'Volume',
  selector: 'LabelSelector',
}

function typeOf(parent: string, field: string): string {
  const prefix = parent === 'PodTemplateSpec' ? 'Pod' : parent
  if (field === 'spec' || field === 'status') return `${prefix}${field === 'spec' ? 'Spec' : 'Status'}`
  return ownField(TYPES, field) ?? `${field.charAt(0).toUpperCase()}${field.slice(1)}`
}

function fieldSchema(schema: StructuralSchema | undefined, key: string): StructuralSchema | undefined {
  const values = schema?.additionalProperties
  return (schema && ownProperty(schema, key)) ?? (typeof values === 'object' ? values : undefined)
}

function mergesItems(schema: StructuralSchema | undefined): schema is StructuralSchema {
  return schema?.['x-kubernetes-patch-strategy']?.startsWith('merge') ?? false
}

function deleteFromList(merged: Fields, field: string, values: unknown): void {
  const list = ownField(merged, field)
  if (!Array.isArray(list) || !Array.isArray(values)) return
  const gone = new Set(values.map(canonicalText))
  setField(
    merged,
    field,
    list.filter((item) => !gone.has(canonicalText(item))),
  )
}

function reorder(merged: Fields, field: string, order: unknown, schema: StructuralSchema | undefined): void {
  const list = ownField(merged, field)
  if (!Array.isArray(order) || !schema || !Array.isArray(list)) return
  setField(merged, field, sortInto(list, order, [], { before: list, schema }))
}

/** The merged list in the order in which a server without an explicit order leaves it: see `sortInto`. */
function mergeList(
  before: readonly unknown[],
  patch: readonly unknown[],
  { schema, type, trace }: { schema: StructuralSchema; type: string; trace: PatchMarks },
): unknown[] {
  refuseMixed(before, patch)
  const key = schema['x-kubernetes-patch-merge-key']
  const merged =
    key === undefined
      ? mergePrimitives(before, patch)
      : mergeItems(before, patch, { key, item: { schema: schema.items, type, trace } })
  return sortInto(merged, patch, patch, { before, schema })
}

/** The items of both lists are of one type, and are no lists and no nulls. */
function refuseMixed(...lists: (readonly unknown[])[]): void {
  const items = lists.flat()
  if (Array.isArray(items[0])) throw kubeError(500, '', 'lists of lists are not supported')
  if (items.includes(null)) throw kubeError(400, 'BadRequest', 'a list that is merged has a null element')
  if (new Set(items.map((item) => goTypeOf(item))).size > 1)
    throw kubeError(500, '', `list element types are not identical: ${goText(lists)}`)
}

function mergePrimitives(before: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const seen = new Set(before)
  return [...before, ...patch.filter((value) => seen.size < seen.add(value).size)]
}

interface Keyed {
  key: string
  item: Place
}

function mergeItems(before: readonly unknown[], patch: readonly unknown[], { key, item }: Keyed): unknown[] {
  const items = patch.map(asFields)
  const deleted = deletedKeys(items, key)
  const changes = items.filter((change) => !Object.hasOwn(change, '$patch'))
  const refuseKeyless = (list: readonly Fields[]): void => {
    const keyless = list.find((change) => !Object.hasOwn(change, key))
    if (keyless) throw missingKey(keyless, key)
  }
  refuseKeyless(changes)
  if (items.some((change) => change.$patch === 'replace')) return changes
  // What is deleted is gone before anything is merged.
  const merged = before.filter((present) => !deleted.has(ownField(asFields(present), key)))
  refuseKeyless(merged.filter(isFields))
  const places = new Map<unknown, number>()
  for (const [index, present] of merged.entries()) {
    const name = ownField(asFields(present), key)
    if (!places.has(name)) places.set(name, index)
  }
  for (const change of changes) {
    const name = ownField(change, key)
    const at = places.get(name)
    if (at === undefined) places.set(name, merged.push(cloneJson(change)) - 1)
    else merged[at] = mergeObject(asFields(merged[at]), change, item)
  }
  return merged
}

/** The keys of the items that are to be deleted. Throws 500 for a directive that items do not have. */
function deletedKeys(items: readonly Fields[], key: string): ReadonlySet<unknown> {
  const keys = new Set<unknown>()
  for (const item of items) {
    if (!Object.hasOwn(item, '$patch') || item.$patch === 'replace') continue
    if (item.$patch === 'merge') throw kubeError(500, '', 'merging lists cannot yet be specified in the patch')
    if (item.$patch !== 'delete') throw unknownDirective(item)
    if (!Object.hasOwn(item, key)) throw missingKey(item, key)
    keys.add(ownField(item, key))
  }
  return keys
}

interface Placement {
  before: readonly unknown[]
  schema: StructuralSchema
}

/**
 * Sorts the items that the patch names by `order`. The others keep their position, before the named item that followed
 * them. New items therefore come first, as in kube-apiserver.
 */
function sortInto(
  merged: readonly unknown[],
  order: readonly unknown[],
  patch: readonly unknown[],
  { before, schema }: Placement,
): unknown[] {
  const identity = identityOf(schema)
  const ranks = new Map(
    [...order, ...patch].map((item, index) => [identity(item), index]).toReversed() as [unknown, number][],
  )
  const old = new Map(before.map((item, index) => [identity(item), index]))
  const rank = (item: unknown): number | undefined => ranks.get(identity(item))
  const named = merged.filter((item) => rank(item) !== undefined).toSorted((a, b) => rank(a)! - rank(b)!)
  const kept = merged.filter((item) => rank(item) === undefined)
  const sorted: unknown[] = []
  let [nextNamed, nextKept] = [0, 0]
  while (nextNamed < named.length && nextKept < kept.length) {
    const [a, b] = [old.get(identity(kept[nextKept])), old.get(identity(named[nextNamed]))]
    sorted.push(a !== undefined && b !== undefined && a < b ? kept[nextKept++] : named[nextNamed++])
  }
  return [...sorted, ...named.slice(nextNamed), ...kept.slice(nextKept)]
}

function identityOf(schema: StructuralSchema): (item: unknown) => unknown {
  const key = schema['x-kubernetes-patch-merge-key']
  return key === undefined ? (item) => item : (item) => ownField(asFields(item), key)
}

function missingKey(item: Fields, key: string): Error {
  return kubeError(500, '', `map: ${goText(item)} does not contain declared merge key: ${key}`)
}

function unknownDirective(patch: Fields): Error {
  return kubeError(500, '', `unknown patch type: ${shown(patch.$patch)} in map: ${goText(patch)}`)
}

/** A value where Go prints a string. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : `%!s(${goTypeOf(value)}=${goText(value)})`
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}
