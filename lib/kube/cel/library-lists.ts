/** Functions of Kubernetes' CEL environment on lists and sets. */
import type { Environment } from '@marcbachmann/cel-js'
import { CelArgumentError } from './argument-error'
import { functionsOf, Library } from './functions'

type Ordered = bigint | number | string | boolean

export function registerLists(env: Environment): void {
  const add = functionsOf(env)
  add('list<A>.isSorted(): bool', isSorted)
  add('list<A>.sum(): A', sum)
  add('list<A>.min(): A', (list: Ordered[]) => extreme(list, 'min', (a, b) => a < b))
  add('list<A>.max(): A', (list: Ordered[]) => extreme(list, 'max', (a, b) => a > b))
  add('list<A>.indexOf(A): int', (list: unknown[], item: unknown) => BigInt(positionOf(list, item)))
  add('list<A>.lastIndexOf(A): int', (list: unknown[], item: unknown) =>
    BigInt(list.findLastIndex((other) => same(other, item))),
  )
  add('list<A>.distinct(): list<A>', (list: unknown[]) =>
    list.filter((item, index) => positionOf(list, item) === index),
  )
  add('list<A>.reverse(): list<A>', (list: unknown[]) => list.toReversed())
  add('list<A>.slice(int, int): list<A>', slice)
  env.registerType('SetsLibrary', SetsLibrary)
  env.registerConstant('sets', 'SetsLibrary', new SetsLibrary())
  add('SetsLibrary.contains(list<A>, list<A>): bool', (_: unknown, all: unknown[], some: unknown[]) =>
    containsAll(all, some),
  )
  add(
    'SetsLibrary.equivalent(list<A>, list<A>): bool',
    (_: unknown, a: unknown[], b: unknown[]) => containsAll(a, b) && containsAll(b, a),
  )
  add('SetsLibrary.intersects(list<A>, list<A>): bool', (_: unknown, a: unknown[], b: unknown[]) =>
    a.some((item) => has(b, item)),
  )
}

class SetsLibrary extends Library {
  readonly name = 'sets'
}

function isSorted(list: readonly Ordered[]): boolean {
  return list.every((item, index) => index === 0 || list[index - 1]! <= item)
}

function positionOf(list: readonly unknown[], item: unknown): number {
  return list.findIndex((other) => same(other, item))
}

function sum(list: readonly Ordered[]): Ordered {
  if (list.length === 0) return 0n
  return (list as readonly bigint[]).reduce((total, item) => total + item)
}

function extreme(list: readonly Ordered[], name: string, better: (a: Ordered, b: Ordered) => boolean): Ordered {
  if (list.length === 0) throw new CelArgumentError(`${name} called on empty list`)
  return list.reduce((best, item) => (better(item, best) ? item : best))
}

function slice(list: readonly unknown[], from: bigint, to: bigint): unknown[] {
  if (from < 0n || to < from || to > list.length) throw new CelArgumentError(`cannot slice(${from}, ${to})`)
  return list.slice(Number(from), Number(to))
}

function containsAll(all: readonly unknown[], some: readonly unknown[]): boolean {
  return some.every((item) => has(all, item))
}

function has(list: readonly unknown[], item: unknown): boolean {
  return list.some((other) => same(other, item))
}

/** Equality of CEL values by content. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => same(item, b[index]))
  }
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && same(value, b.get(key)))
  }
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  if (typeof a === 'object' || typeof b === 'object') return false
  return isNumeric(a) && isNumeric(b) && Number(a) === Number(b)
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'bigint' || typeof value === 'number'
}
