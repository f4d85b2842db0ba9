/**
 * Strategic merge patches: like a merge patch, but lists that have a merge key in the schema are merged item by item.
 *
 * Directives understood: `$patch` (`replace`, `delete`, `merge`) in objects and in items of keyed lists, `$retainKeys`
 * for one-of structures, `$deleteFromPrimitiveList/<field>` and `$setElementOrder/<field>`.
 */
import { canonicalText } from '@/lib/std/canonical'
import { cloneJson } from '@/lib/std/clone'
import { ownField, removeField, setField } from '@/lib/std/fields'
import { kubeError } from './errors'
import { goText } from './go-text'
import { ownProperty, type StructuralSchema } from './schema'

type Fields = Record<string, unknown>

const DELETE_FROM_LIST = '$deleteFromPrimitiveList/'
const SET_ORDER = '$setElementOrder/'

/**
 * Applies a strategic merge patch to a document of the given schema. Neither argument changes. Throws a KubeError: 500
 * for a list item without its merge key and 400 for a directive that is unknown, as kube-apiserver answers; 400 for an
 * item that is null, where kube-apiserver's merge fails with a fault of its own.
 */
export function applyStrategicPatch(document: unknown, patch: unknown, schema: StructuralSchema): unknown {
  if (!isFields(patch)) throw kubeError(400, 'BadRequest', 'a strategic merge patch must be an object')
  return mergeObject(isFields(document) ? document : {}, patch, schema)
}

function mergeObject(original: Fields, patch: Fields, schema: StructuralSchema | undefined): Fields {
  const directive = patch.$patch
  if (directive === 'replace') return withoutDirectives(patch)
  if (directive === 'delete') return {}
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(patch)
  const merged = retainKeys(original, patch)
  for (const [key, value] of Object.entries(patch)) mergeField(merged, key, value, { patch, schema })
  return merged
}

function retainKeys(original: Fields, patch: Fields): Fields {
  if (!Array.isArray(patch.$retainKeys)) return { ...original }
  const retained = new Set<unknown>(patch.$retainKeys)
  const isForeign = (key: string): boolean => !key.startsWith('$') && !retained.has(key)
  if (Object.keys(patch).some(isForeign)) throw kubeError(400, 'BadRequest', 'invalid patch format of retainKeys')
  return Object.fromEntries(Object.entries(original).filter(([key]) => retained.has(key)))
}

interface MergeContext {
  patch: Fields
  schema: StructuralSchema | undefined
}

function mergeField(merged: Fields, key: string, value: unknown, { patch, schema }: MergeContext): void {
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
  else if (Array.isArray(value) && mergesItems(own)) {
    const list = mergeList(present, value, own)
    setField(
      merged,
      key,
      Array.isArray(order) ? sortInto(list, order, value, { before: asList(present), schema: own }) : list,
    )
  } else if (isFields(value)) setField(merged, key, mergeObject(isFields(present) ? present : {}, value, own))
  else setField(merged, key, cloneJson(value))
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
function mergeList(original: unknown, patch: readonly unknown[], schema: StructuralSchema): unknown[] {
  const key = schema['x-kubernetes-patch-merge-key']
  const before = asList(original)
  const merged =
    key === undefined ? mergePrimitives(before, patch) : mergeItems(before, patch, { key, item: schema.items })
  return sortInto(merged, patch, patch, { before, schema })
}

function mergePrimitives(before: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const seen = new Set(before)
  return [...before, ...patch.filter((value) => seen.size < seen.add(value).size)]
}

interface Keyed {
  key: string
  item: StructuralSchema | undefined
}

function mergeItems(before: readonly unknown[], patch: readonly unknown[], { key, item }: Keyed): unknown[] {
  if (patch.includes(null)) throw kubeError(400, 'BadRequest', `a list that is merged by ${key} has a null element`)
  const items = patch.map(asFields)
  const replaces = items.some((change) => change.$patch === 'replace')
  if (replaces) return items.filter((change) => change.$patch === undefined).map(withoutDirectives)
  const merged = [...before]
  const places = new Map<unknown, number[]>()
  const place = (name: unknown, index: number): void => {
    const known = places.get(name)
    if (known) known.push(index)
    else places.set(name, [index])
  }
  for (const [index, present] of before.entries()) place(ownField(asFields(present), key), index)
  const gone = new Set<number>()
  for (const change of items) {
    if (!Object.hasOwn(change, key)) throw missingKey(change, key)
    const name = ownField(change, key)
    const [first, ...others] = places.get(name) ?? []
    if (change.$patch === 'delete') {
      for (const index of first === undefined ? [] : [first, ...others]) gone.add(index)
      places.delete(name)
    } else if (first === undefined) place(name, merged.push(mergeObject({}, change, item)) - 1)
    else merged[first] = mergeObject(asFields(merged[first]), change, item)
  }
  return gone.size === 0 ? merged : merged.filter((_, index) => !gone.has(index))
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

function withoutDirectives(patch: Fields): Fields {
  return mergeObject({}, Object.fromEntries(Object.entries(patch).filter(([key]) => key !== '$patch')), undefined)
}

function missingKey(item: Fields, key: string): Error {
  return kubeError(500, '', `map: ${goText(item)} does not contain declared merge key: ${key}`)
}

function unknownDirective(patch: Fields): Error {
  return kubeError(500, '', `unknown patch type: ${goText(patch.$patch)} in map: ${goText(patch)}`)
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
