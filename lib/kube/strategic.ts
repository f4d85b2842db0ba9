/**
 * Strategic merge patches: like a merge patch, but lists that have a merge key in the schema are merged item by item.
 *
 * Directives understood: `$patch` (`replace`, `delete`, `merge`) in objects and in items of keyed lists, `$retainKeys`
 * for one-of structures, `$deleteFromPrimitiveList/<field>` and `$setElementOrder/<field>`.
 */
import { cloneJson } from '@/lib/std/clone'
import { deepEqual } from '@/lib/std/equal'
import { kubeError } from './errors'
import type { StructuralSchema } from './schema'

type Fields = Record<string, unknown>

const DELETE_FROM_LIST = '$deleteFromPrimitiveList/'
const SET_ORDER = '$setElementOrder/'

/**
 * Applies a strategic merge patch to a document of the given schema. Neither argument changes. Throws a KubeError: 500
 * for a list item without its merge key and 400 for a directive that is unknown, as kube-apiserver answers.
 */
export function applyStrategicPatch(document: unknown, patch: unknown, schema: StructuralSchema): unknown {
  if (!isFields(patch)) throw kubeError(400, 'BadRequest', 'a strategic merge patch must be an object')
  return mergeObject(isFields(document) ? document : {}, patch, schema)
}

function mergeObject(original: Fields, patch: Fields, schema: StructuralSchema | undefined): Fields {
  const directive = patch.$patch
  if (directive === 'replace') return withoutDirectives(patch)
  if (directive === 'delete') return {}
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive)
  const merged = retainKeys(original, patch)
  for (const [key, value] of Object.entries(patch)) mergeField(merged, key, value, { patch, schema })
  return merged
}

function retainKeys(original: Fields, patch: Fields): Fields {
  const retained = patch.$retainKeys
  if (!Array.isArray(retained)) return { ...original }
  return Object.fromEntries(Object.entries(original).filter(([key]) => retained.includes(key)))
}

interface Surroundings {
  patch: Fields
  schema: StructuralSchema | undefined
}

function mergeField(merged: Fields, key: string, value: unknown, { patch, schema }: Surroundings): void {
  if (key === '$patch' || key === '$retainKeys') return
  if (key.startsWith(DELETE_FROM_LIST)) return deleteFromList(merged, key.slice(DELETE_FROM_LIST.length), value)
  if (key.startsWith(SET_ORDER)) {
    const field = key.slice(SET_ORDER.length)
    if (!Object.hasOwn(patch, field)) reorder(merged, field, value, fieldSchema(schema, field))
    return
  }
  const own = fieldSchema(schema, key)
  const order = patch[`${SET_ORDER}${key}`]
  if (value === null) delete merged[key]
  else if (Array.isArray(value) && mergesItems(own)) {
    const list = mergeList(merged[key], value, own)
    merged[key] = Array.isArray(order)
      ? sortInto(list, order, value, { before: asList(merged[key]), schema: own })
      : list
  } else if (isFields(value)) merged[key] = mergeObject(isFields(merged[key]) ? merged[key] : {}, value, own)
  else merged[key] = cloneJson(value)
}

function fieldSchema(schema: StructuralSchema | undefined, key: string): StructuralSchema | undefined {
  const values = schema?.additionalProperties
  return schema?.properties?.[key] ?? (typeof values === 'object' ? values : undefined)
}

function mergesItems(schema: StructuralSchema | undefined): schema is StructuralSchema {
  return schema?.['x-kubernetes-patch-strategy']?.startsWith('merge') ?? false
}

function deleteFromList(merged: Fields, field: string, values: unknown): void {
  const list = merged[field]
  if (!Array.isArray(list) || !Array.isArray(values)) return
  merged[field] = list.filter((item) => !values.some((value) => deepEqual(item, value)))
}

function reorder(merged: Fields, field: string, order: unknown, schema: StructuralSchema | undefined): void {
  if (!Array.isArray(order) || !schema || !Array.isArray(merged[field])) return
  merged[field] = sortInto(merged[field], order, [], { before: merged[field], schema })
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
  return [...before, ...patch.filter((value, index) => !before.includes(value) && patch.indexOf(value) === index)]
}

interface Keyed {
  key: string
  item: StructuralSchema | undefined
}

function mergeItems(before: readonly unknown[], patch: readonly unknown[], { key, item }: Keyed): unknown[] {
  const items = patch.map(asFields)
  const replaces = items.some((change) => change.$patch === 'replace')
  if (replaces) return items.filter((change) => change.$patch === undefined).map(withoutDirectives)
  let merged = [...before]
  for (const change of items) {
    if (!Object.hasOwn(change, key)) throw missingKey(change, key)
    const index = merged.findIndex((present) => asFields(present)[key] === change[key])
    if (change.$patch === 'delete') merged = merged.filter((present) => asFields(present)[key] !== change[key])
    else if (index < 0) merged.push(mergeObject({}, change, item))
    else merged[index] = mergeObject(asFields(merged[index]), change, item)
  }
  return merged
}

interface Placement {
  before: readonly unknown[]
  schema: StructuralSchema
}

/**
 * Items that the patch names come in the order of `order`; the others stay where the list had them, in front of the
 * next named item that followed them before. New items therefore come first, which is what a real server does.
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
  while (named.length > 0 && kept.length > 0) {
    const [a, b] = [old.get(identity(kept[0])), old.get(identity(named[0]))]
    sorted.push(a !== undefined && b !== undefined && a < b ? kept.shift() : named.shift())
  }
  return [...sorted, ...named, ...kept]
}

function identityOf(schema: StructuralSchema): (item: unknown) => unknown {
  const key = schema['x-kubernetes-patch-merge-key']
  return key === undefined ? (item) => item : (item) => asFields(item)[key]
}

function withoutDirectives(patch: Fields): Fields {
  return mergeObject({}, Object.fromEntries(Object.entries(patch).filter(([key]) => key !== '$patch')), undefined)
}

function missingKey(item: Fields, key: string): Error {
  const shown = Object.entries(item)
    .map(([name, value]) => `${name}:${String(value)}`)
    .join(' ')
  return kubeError(500, '', `map: map[${shown}] does not contain declared merge key: ${key}`)
}

function unknownDirective(directive: unknown): Error {
  return kubeError(400, 'BadRequest', `Unknown patch type found: ${String(directive)}`)
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
