/** Changes one place of an object: another type, another value, removed, or unknown. */
import type { Rng } from '@/lib/std/rng'
import { chance, pick } from '../broken/mutate'

const TEXTS = [
  '',
  'x',
  'UPPER',
  'a b',
  'a_b',
  'a/b',
  'a.b.c',
  '-a',
  'a'.repeat(64),
  'a'.repeat(254),
  '10.1.2.3',
  '1Gi',
  '100m',
  '2020-01-01T00:00:00Z',
  'example.com/x',
  'http',
  '0',
] as const
const NUMBERS = [0, 1, -1, 2, 65_536, 2_147_483_648, 1.5, 80] as const

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function spoil(rng: Rng, value: unknown): unknown {
  if (Array.isArray(value)) return spoilList(rng, value)
  if (isRecord(value)) return spoilFields(rng, value)
  if (chance(rng, 0.12)) return null
  if (chance(rng, 0.12)) return pick(rng, [[], {}, 'x', 7, true] as const)
  if (typeof value === 'string') return pick(rng, TEXTS)
  if (typeof value === 'number') return pick(rng, NUMBERS)
  return !value
}

function spoilList(rng: Rng, list: readonly unknown[]): unknown {
  if (list.length === 0 || chance(rng, 0.15)) return pick(rng, [[], null, {}, ['x'], [null], [{}]] as const)
  const at = rng.below(list.length)
  switch (rng.below(7)) {
    case 0:
      return list.toSpliced(at, 1)
    case 1:
      return [...list, list[at]]
    default:
      return list.with(at, spoil(rng, list[at]))
  }
}

function spoilFields(rng: Rng, fields: Record<string, unknown>): unknown {
  const entries = Object.entries(fields)
  if (entries.length === 0) return pick(rng, [null, [], 'x', { nope: 1 }] as const)
  const at = rng.below(entries.length)
  const [key, child] = entries[at] as [string, unknown]
  switch (rng.below(12)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(at, 1))
    case 1:
      return { ...fields, nope: pick(rng, [1, 'x', null, { a: 1 }] as const) }
    case 2:
      return { ...Object.fromEntries(entries.toSpliced(at, 1)), [key.toUpperCase()]: child }
    case 3:
      return { ...fields, [key]: pick(rng, [null, {}, [], 'x', 1] as const) }
    default:
      return { ...fields, [key]: spoil(rng, child) }
  }
}
