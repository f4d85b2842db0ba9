/**
 * Rules of kinds that are not part of Kubernetes. Upstream ships them as Lua scripts, so the limits of Lua apply: null
 * is absent, and an empty list or map that a script writes is omitted.
 */
import type { BindingComponent } from '../../../kube/kinds/binding'
import type { Manifest } from '../../../kube/manifest'
import type { UnknownObject } from '../../../kube/object'
import type { Needs } from '../needs'
import { InterpretError } from '../interpret-error'
import { fieldsIn } from '../json-fields'
import type { MemberStatus } from '../member-status'
import type { InterpreterOptions } from '../options'
import type { Replicas } from '../pod-requirements'
import type { Fields } from '../shape'

/** Input of an aggregation: the template with its status, and one entry per member. */
export interface ThirdPartyAggregation extends InterpreterOptions {
  template: UnknownObject
  /** Status of the template; empty when there is none. */
  old: Fields
  /** At least one. */
  items: readonly MemberStatus[]
  /** RFC 3339. */
  now: string
}

/** Rule of one kind. Absent functions leave the operation to the default for any kind. */
export interface ThirdPartyRule {
  replicas?: (object: UnknownObject) => Replicas
  revise?: (manifest: Manifest, replicas: number) => Manifest
  /** Returns the components of a workload with several templates. */
  components?: (object: UnknownObject) => BindingComponent[]
  reflect?: (object: UnknownObject, options: InterpreterOptions) => Fields
  /** Returns the template's new status; undefined leaves it unchanged. */
  aggregate?: (aggregation: ThirdPartyAggregation) => Fields | undefined
  /** Returns the template's status while no member reports any. Absent: the status stays unchanged. */
  aggregateNone?: (template: UnknownObject, old: Fields) => Fields
  isHealthy?: (object: UnknownObject) => boolean
  retain?: (manifest: Manifest, observed: UnknownObject) => Manifest
  needs?: (object: UnknownObject) => Needs
}

/** Returns the block at that path; empty when there is none. */
export function blockIn(object: object, ...path: readonly string[]): Fields {
  return path.reduce<Fields>((block, name) => fieldsIn(block[name]), object as Fields)
}

/** Returns the block of that name. Throws an InterpretError if the object has none. */
export function requiredBlock(object: object, name: string): Fields {
  const value = (object as Fields)[name]
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new InterpretError(`${name}: expected object, found ${value === undefined ? 'nothing' : typeof value}`)
}

/** Returns the manifest with one field of its spec replaced. */
export function withSpecField(manifest: Manifest, name: string, value: unknown): Manifest {
  return { ...manifest, spec: { ...fieldsIn(manifest.spec), [name]: value } }
}

/** A number of replicas written into the spec. Throws an InterpretError when there is no spec. */
export function revisedSpec(manifest: Manifest, name: string, value: number): Manifest {
  return { ...manifest, spec: { ...requiredBlock(manifest, 'spec'), [name]: value } }
}

/** Compares two numbers. Throws an InterpretError if either is not a number. */
export function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right
  throw new InterpretError(`status: cannot compare ${String(left)} with ${String(right)}`)
}

/** Returns a number, parsed from text if necessary; otherwise the fallback. */
export function numberOr<T>(value: unknown, otherwise: T): number | T {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' || Number.isNaN(Number(text)) ? otherwise : Number(text)
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Reports whether there is a member and the predicate holds for all of them. */
export function everyMember(items: readonly MemberStatus[], holds: (item: MemberStatus) => boolean): boolean {
  return items.length > 0 && items.every(holds)
}

/** Returns the reported statuses, in the order of the members. */
export function reported(items: readonly MemberStatus[]): Fields[] {
  return items.flatMap(({ status }) => (status ? [status] : []))
}

/** Sums the numbers with these names. */
export function sums(statuses: readonly Fields[], names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, sumOf(statuses, name)]))
}

export const sumOf = (statuses: readonly Fields[], name: string): number =>
  statuses.reduce((sum, status) => sum + numberOr(status[name], 0), 0)

/** Returns the last reported value. */
export const lastOf = (statuses: readonly Fields[], name: string): unknown =>
  statuses.map((status) => status[name]).findLast((value) => value !== undefined)

/** Returns the last reported text that is not empty. */
export const lastTextOf = (statuses: readonly Fields[], name: string): string | undefined =>
  statuses.map((status) => status[name]).findLast(isText)

/** Returns the earliest time, in RFC 3339. */
export function earliestOf(statuses: readonly Fields[], name: string): string | undefined {
  return timesOf(statuses, name).reduce<string | undefined>(
    (first, time) => (first && first <= time ? first : time),
    undefined,
  )
}

export function latestOf(statuses: readonly Fields[], name: string): string | undefined {
  return timesOf(statuses, name).reduce<string | undefined>(
    (last, time) => (last && last >= time ? last : time),
    undefined,
  )
}

const timesOf = (statuses: readonly Fields[], name: string): string[] =>
  statuses.map((status) => status[name]).filter(isText)

/** Returns the existing fields with these names. */
export function picked(source: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(source, name)).map((name) => [name, source[name]]))
}

/** Reports whether a true condition of the type has one of the reasons. */
export function hasTrueCondition(conditions: readonly Fields[], type: string, reasons?: readonly string[]): boolean {
  return conditions.some(
    (condition) =>
      condition.type === type
      && condition.status === 'True'
      && (!reasons || reasons.includes(String(condition.reason))),
  )
}
