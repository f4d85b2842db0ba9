/**
 * Rules of kinds that do not come with Kubernetes. Upstream ships them as Lua scripts; what a script cannot tell apart
 * holds here, too: null is absent, and an empty list or map that a script writes is left out.
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

/** What is added up: the template's status as it is, and one entry for each member. */
export interface ThirdPartyAggregation extends InterpreterOptions {
  template: UnknownObject
  /** The template's status; empty when there is none. */
  old: Fields
  /** At least one. */
  items: readonly MemberStatus[]
  /** RFC 3339. */
  now: string
}

/** What is known of one kind. An absent rule leaves the kind to the rules for any kind. */
export interface ThirdPartyRule {
  replicas?: (object: UnknownObject) => Replicas
  revise?: (manifest: Manifest, replicas: number) => Manifest
  /** The parts of a workload that consists of several templates. */
  components?: (object: UnknownObject) => BindingComponent[]
  reflect?: (object: UnknownObject, options: InterpreterOptions) => Fields
  /** The template's new status; undefined leaves it as it is. */
  aggregate?: (aggregation: ThirdPartyAggregation) => Fields | undefined
  /** The template's status while no member has anything to report; without it, the status stays as it is. */
  aggregateNone?: (template: UnknownObject, old: Fields) => Fields
  isHealthy?: (object: UnknownObject) => boolean
  retain?: (manifest: Manifest, observed: UnknownObject) => Manifest
  needs?: (object: UnknownObject) => Needs
}

/** The block at that path; empty when there is none. */
export function blockIn(object: object, ...path: readonly string[]): Fields {
  return path.reduce<Fields>((block, name) => fieldsIn(block[name]), object as Fields)
}

/** The block of that name. Throws an InterpretError when the object has none. */
export function requiredBlock(object: object, name: string): Fields {
  const value = (object as Fields)[name]
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new InterpretError(`${name}: expected object, found ${value === undefined ? 'nothing' : typeof value}`)
}

/** The manifest with another value of one field of its spec. */
export function withSpecField(manifest: Manifest, name: string, value: unknown): Manifest {
  return { ...manifest, spec: { ...fieldsIn(manifest.spec), [name]: value } }
}

/** A number of replicas written into the spec. Throws an InterpretError when there is no spec. */
export function revisedSpec(manifest: Manifest, name: string, value: number): Manifest {
  return { ...manifest, spec: { ...requiredBlock(manifest, 'spec'), [name]: value } }
}

/** Compares two numbers. Throws an InterpretError when one is none. */
export function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right
  throw new InterpretError(`status: cannot compare ${String(left)} with ${String(right)}`)
}

/** A number, also one that is written as text; otherwise the given one. */
export function numberOr<T>(value: unknown, otherwise: T): number | T {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' || Number.isNaN(Number(text)) ? otherwise : Number(text)
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** True when there is a member, and it holds for every one. */
export function everyMember(items: readonly MemberStatus[], holds: (item: MemberStatus) => boolean): boolean {
  return items.length > 0 && items.every(holds)
}

/** What members reported, in their order. */
export function reported(items: readonly MemberStatus[]): Fields[] {
  return items.flatMap(({ status }) => (status ? [status] : []))
}

/** Sums of the numbers of these names. */
export function sums(statuses: readonly Fields[], names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, sumOf(statuses, name)]))
}

export const sumOf = (statuses: readonly Fields[], name: string): number =>
  statuses.reduce((sum, status) => sum + numberOr(status[name], 0), 0)

/** The last value that was reported. */
export const lastOf = (statuses: readonly Fields[], name: string): unknown =>
  statuses.map((status) => status[name]).findLast((value) => value !== undefined)

/** The last text that was reported and is not empty. */
export const lastTextOf = (statuses: readonly Fields[], name: string): string | undefined =>
  statuses.map((status) => status[name]).findLast(isText)

/** The earliest or latest of times in RFC 3339. */
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

/** The fields of these names that are there. */
export function picked(source: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(source, name)).map((name) => [name, source[name]]))
}

/** True when the first condition of the type that is true has one of the reasons. */
export function hasTrueCondition(conditions: readonly Fields[], type: string, reasons?: readonly string[]): boolean {
  return conditions.some(
    (condition) =>
      condition.type === type
      && condition.status === 'True'
      && (!reasons || reasons.includes(String(condition.reason))),
  )
}
