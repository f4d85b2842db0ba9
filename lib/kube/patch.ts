/** JSON patch (RFC 6902) and merge patch (RFC 7386). Functions do not change their arguments. */
import { cloneJson } from '@/lib/std/clone'
import { deepEqual } from '@/lib/std/equal'
import { isFields, ownField, removeField, setField } from '@/lib/std/fields'
import { isValueTooDeep, sizeWithin } from '@/lib/std/json-bounds'
import { mapFields, mapItems } from '@/lib/std/map-json'
import { kubeError, type KubeError } from './errors'

export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string }

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** How many operations one patch may carry. */
export const MAX_JSON_PATCH_OPERATIONS = 10_000

/** How many bytes all `copy` operations of one patch may copy: `JSONPatchMaxCopyBytes` upstream. */
const MAX_COPIED = 3 * 1024 * 1024

/**
 * Applies a JSON patch; what it does not touch is shared with the document. It is as lenient as kube-apiserver:
 * `replace` may create a field, `copy` of a missing field gives null, negative indexes count from the end. Throws a
 * KubeError (422) when an operation cannot be done, a test fails, the copies exceed 3 MiB or the result is nested more
 * deeply than a body may be, with the deliberately bare text of kube-apiserver; and 413 for too many operations.
 */
export function applyJsonPatch(
  document: unknown,
  operations: readonly JsonPatchOperation[],
  trace?: PatchTrace,
): unknown {
  if (operations.length > MAX_JSON_PATCH_OPERATIONS) {
    throw kubeError(
      413,
      'RequestEntityTooLarge',
      'Request entity too large: The allowed maximum operations in a JSON patch is '
        + `${MAX_JSON_PATCH_OPERATIONS}, got ${operations.length}`,
    )
  }
  const patching = new JsonPatching(document, trace)
  for (const operation of operations) patching.apply(operation)
  return patching.result()
}

/** Which parts of a document the operations read as they went, and where the parts that they added come from. */
export interface PatchTrace {
  read: Set<object>
  /** By the added part: the part that was copied; undefined for a value of the patch itself. */
  sources: Map<object, object | undefined>
}

/** A document that operations are applied to one by one. */
export class JsonPatching {
  readonly #root: Root

  constructor(document: unknown, trace?: PatchTrace) {
    this.#root = { document, own: new Set(), copied: 0, trace, givenNulls: new Map() }
  }

  /** The document as the operations so far left it. It may change with the next one. */
  get document(): unknown {
    return this.#root.document
  }

  /** Throws a KubeError (422) when it cannot be done. */
  apply(operation: JsonPatchOperation): void {
    applyOperation(this.#root, operation)
  }

  /** The document after all operations. Throws a KubeError (422) when it is nested too deeply. */
  result(): unknown {
    if (isValueTooDeep(this.#root.document)) throw rejected()
    return this.#root.document
  }
}

/**
 * State of a patch. A container is copied before its first change; unchanged parts are shared with the given document.
 */
interface Root {
  document: unknown
  own: Set<Container>
  /** Bytes that `copy` operations copied. */
  copied: number
  trace: PatchTrace | undefined
  /** Fields that operations set to null, by the object that has them. */
  givenNulls: Map<Container, Set<string>>
}

function applyOperation(root: Root, operation: JsonPatchOperation): void {
  if (!isContainer(operation)) throw rejected()
  switch (operation.op) {
    case 'add':
      return give(root, operation, 'insert')
    case 'replace':
      return give(root, operation, 'set')
    case 'remove':
      return remove(root, operation.path)
    case 'copy': {
      const value = readPart(root, operation.from) ?? null
      // The place of the copy is read before the copy is made.
      locate(root, operation.path)
      return write(root, operation.path, copyOf(root, value), 'insert')
    }
    case 'move': {
      const value = readPart(root, operation.from)
      remove(root, operation.from)
      return write(root, operation.path, value, 'insert')
    }
    case 'test': {
      const found = read(root, operation.path) ?? null
      if (!deepEqual(found, operation.value ?? null)) throw rejected()
      // A null that this patch gave is a value, and differs from none.
      if (operation.value === undefined && isGivenNull(root, operation.path)) throw rejected()
      noteAll(root, found)
      return undefined
    }
    default:
      throw rejected()
  }
}

type Giving = Extract<JsonPatchOperation, { op: 'add' | 'replace' | 'test' }>

function give(root: Root, { path, value }: Giving, mode: 'insert' | 'set'): void {
  write(root, path, valueOf(root, value), mode)
  if (value !== null || path === '') return
  const { container, key } = locateOwn(root, path)
  if (Array.isArray(container)) return
  const names = root.givenNulls.get(container) ?? new Set<string>()
  root.givenNulls.set(container, names.add(key))
}

/** True for a field that an operation set to null, until another one writes it. */
function isGivenNull(root: Root, pointer: string): boolean {
  if (pointer === '') return false
  const { container, key } = locate(root, pointer)
  return root.givenNulls.get(container)?.has(key) ?? false
}

function valueOf(root: Root, value: unknown): unknown {
  // An operation without a value has null.
  const clone = cloneJson(value ?? null)
  if (isContainer(clone)) root.trace?.sources.set(clone, undefined)
  return clone
}

/** A comparison reads everything. */
function noteAll(root: Root, value: unknown): void {
  if (!root.trace || !isContainer(value)) return
  root.trace.read.add(value)
  for (const child of Object.values(value)) noteAll(root, child)
}

/** Every copy counts: doubling a document 26 times takes a body of 2 kB. */
function copyOf(root: Root, value: unknown): unknown {
  const size = sizeWithin(value, MAX_COPIED - root.copied)
  if (size === undefined || isValueTooDeep(value)) throw rejected()
  root.copied += size
  const clone = cloneJson(value)
  if (isContainer(clone) && isContainer(value)) root.trace?.sources.set(clone, value)
  return clone
}

/** The whole document is compared and replaced, but neither copied nor moved. */
function readPart(root: Root, pointer: string): unknown {
  if (pointer === '') throw rejected()
  return read(root, pointer)
}

function read(root: Root, pointer: string): unknown {
  if (pointer === '') return root.document
  const { container, key } = locate(root, pointer)
  return Array.isArray(container) ? container[indexIn(container, key, container.length - 1)] : ownField(container, key)
}

function write(root: Root, pointer: string, value: unknown, mode: 'insert' | 'set'): void {
  if (pointer === '') return replaceAll(root, value, mode)
  const { container, key } = locateOwn(root, pointer)
  root.givenNulls.get(container)?.delete(key)
  if (!Array.isArray(container)) setField(container, key, value)
  else if (mode === 'set') container[indexIn(container, key, container.length - 1)] = value
  else if (key === '-') container.push(value)
  else container.splice(indexIn(container, key, container.length), 0, value)
}

function replaceAll(root: Root, value: unknown, mode: 'insert' | 'set'): void {
  if (mode === 'insert' || !isContainer(value)) throw rejected()
  root.document = value
}

function remove(root: Root, pointer: string): void {
  const { container, key } = locateOwn(root, pointer)
  root.givenNulls.get(container)?.delete(key)
  if (Array.isArray(container)) container.splice(indexIn(container, key, container.length - 1), 1)
  else if (!removeField(container, key)) throw rejected()
}

type Container = unknown[] | Record<string, unknown>

function locate(root: Root, pointer: string): { container: Container; key: string } {
  const segments = segmentsOf(pointer)
  let container: unknown = root.document
  for (const segment of segments.slice(1, -1)) {
    if (!isContainer(container)) throw rejected()
    root.trace?.read.add(container)
    container = Array.isArray(container)
      ? container[indexIn(container, segment, container.length - 1)]
      : ownField(container, segment)
  }
  if (!isContainer(container)) throw rejected()
  root.trace?.read.add(container)
  return { container, key: segments.at(-1)! }
}

/** Like `locate`, for writes: the container and its ancestors are copies that belong to this patch. */
function locateOwn(root: Root, pointer: string): { container: Container; key: string } {
  const segments = segmentsOf(pointer)
  let container = (root.document = ownCopy(root, root.document))
  for (const segment of segments.slice(1, -1)) {
    if (Array.isArray(container)) {
      const index = indexIn(container, segment, container.length - 1)
      container = container[index] = ownCopy(root, container[index])
    } else {
      const copy = ownCopy(root, ownField(container, segment))
      setField(container, segment, copy)
      container = copy
    }
  }
  return { container, key: segments.at(-1)! }
}

function segmentsOf(pointer: string): string[] {
  if (typeof pointer !== 'string') throw rejected()
  const segments = pointer.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (segments.length < 2 || segments[0] !== '') throw rejected()
  return segments
}

function ownCopy(root: Root, value: unknown): Container {
  if (!isContainer(value)) throw rejected()
  if (root.own.has(value)) return value
  const copy: Container = Array.isArray(value) ? ([...value] as unknown[]) : { ...value }
  root.own.add(copy)
  return copy
}

/** The index that a segment names, counted from the end when negative. `last` is the largest that is allowed. */
function indexIn(list: readonly unknown[], segment: string, last: number): number {
  if (!/^-?(0|[1-9][0-9]*)$/.test(segment)) throw rejected()
  const index = Number(segment)
  const position = index < 0 ? index + list.length : index
  if (position < 0 || position > last) throw rejected()
  return position
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function rejected(): KubeError {
  return kubeError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
}

/**
 * Applies a merge patch: objects are merged, null removes a field, other values replace. What replaces no object loses
 * its null fields, in lists too.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (!isFields(document)) return withoutNullFields(patch)
  if (!isFields(patch)) return cloneJson(patch)
  const merged: Record<string, unknown> = {}
  for (const key of Object.keys(document)) {
    const change = ownField(patch, key)
    if (change === undefined) setField(merged, key, document[key])
    else if (change !== null) setField(merged, key, applyMergePatch(document[key], change))
  }
  for (const key of Object.keys(patch))
    if (patch[key] !== null && !Object.hasOwn(document, key)) setField(merged, key, withoutNullFields(patch[key]))
  return merged
}

function withoutNullFields(value: unknown): unknown {
  if (Array.isArray(value)) return mapItems(value, withoutNullFields)
  if (!isFields(value)) return value
  return mapFields(value, (child) => (child === null ? undefined : withoutNullFields(child)))
}

/**
 * The smallest merge patch that turns `from` into `to`; undefined when they are equal. A field that is undefined counts
 * as absent. A field that is null in `to` cannot be expressed and is removed.
 */
export function createMergePatch(from: unknown, to: unknown): Json | undefined {
  if (deepEqual(from, to)) return undefined
  if (!isFields(from) || !isFields(to)) return cloneJson(to) as Json
  const patch = new Map<string, Json>()
  for (const key of Object.keys(from))
    if (from[key] !== undefined && ownField(to, key) === undefined) patch.set(key, null)
  for (const [key, value] of Object.entries(to)) {
    if (value === undefined) continue
    const change = createMergePatch(ownField(from, key), value)
    if (change !== undefined) patch.set(key, change)
  }
  return Object.fromEntries(patch)
}
