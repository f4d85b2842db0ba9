/** Mutates objects, texts and bytes. The random numbers have a seed, so that findings are reproducible. */
import type { Rng } from '@/lib/std/rng'

export function pick<T>(rng: Rng, from: readonly T[]): T {
  return from[rng.below(from.length)] as T
}

export function chance(rng: Rng, share: number): boolean {
  return rng.next() < share
}

export const oddities: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  '',
  'x',
  'a'.repeat(300),
  'Ünï',
  '\u0000',
  '\ud800',
  '../..',
  '%00',
  '1Gi',
  '2026-01-01T00:00:00Z',
  [],
  {},
  [null],
  [[[]]],
  { a: null },
  [{}, {}],
  { '': '' },
]

const keys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'nope',
  'a.b',
  'status',
  'metadata',
  'name',
  '$ref',
]

/** Replaces, removes, renames or repeats a value in an object. */
export function mutate(rng: Rng, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || chance(rng, 0.15)) return pick(rng, oddities)
  if (Array.isArray(value)) return mutateList(rng, value)
  const entries = Object.entries(value)
  if (entries.length === 0) return { [pick(rng, keys)]: pick(rng, oddities) }
  const at = rng.below(entries.length)
  const [key, child] = entries[at] as [string, unknown]
  switch (rng.below(8)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(at, 1))
    case 1:
      return fromEntries([...entries, [pick(rng, keys), pick(rng, oddities)]])
    case 2:
      return fromEntries(entries.with(at, [pick(rng, keys), child]))
    default:
      return fromEntries(entries.with(at, [key, mutate(rng, child)]))
  }
}

function mutateList(rng: Rng, list: readonly unknown[]): unknown {
  if (list.length === 0) return [pick(rng, oddities)]
  const at = rng.below(list.length)
  switch (rng.below(5)) {
    case 0:
      return list.toSpliced(at, 1)
    case 1:
      return [...list, ...list]
    default:
      return list.with(at, mutate(rng, list[at]))
  }
}

/** `__proto__` as a key of its own, as JSON.parse makes it. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries)
}

const DEPTHS = [10, 100, 1000, 9000, 12_000, 100_000]

/** Lists in lists, or objects in objects. */
export function nested(rng: Rng): string {
  const depth = pick(rng, DEPTHS)
  const [open, close] = pick(rng, [
    ['[', ']'],
    ['{"a":', '}'],
  ])
  return `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`
}

const splinters = [
  '1e400',
  '-1e999',
  '123456789012345678901234567890',
  '0x10',
  'NaN',
  '01',
  '1.',
  '"\\ud800"',
  '"\\x"',
  '// c',
  '/*',
  ',',
  '\ufeff',
  '"a":1,"a":2',
  '\t',
  '\u2028',
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  'null',
  '&a [*a, *a]',
  '!!binary x',
  '---',
  '<<: *x',
  '? ',
]

/** Breaks a text somewhere. */
export function breakText(rng: Rng, text: string): string {
  const at = rng.below(text.length + 1)
  switch (rng.below(4)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + rng.below(5))
    case 2:
      return text.slice(0, at) + nested(rng) + text.slice(at)
    default:
      return text.slice(0, at) + pick(rng, splinters) + text.slice(at)
  }
}

/** Turns some bytes over: no longer UTF-8 as a rule. */
export function breakBytes(rng: Rng, bytes: Buffer): Buffer {
  const broken = Buffer.from(bytes)
  for (let count = 1 + rng.below(4); count > 0 && broken.length > 0; count--) {
    broken[rng.below(broken.length)] = rng.below(256)
  }
  return broken
}
