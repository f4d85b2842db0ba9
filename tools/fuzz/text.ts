/** Small pieces that all generators need. */
import type { Rng } from '@/lib/std/rng'
import { pick } from './broken/mutate'

/** As many as the number says. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Sizes with a logarithmic distribution, up to the largest request. */
export function size(rng: Rng, most: number): number {
  return Math.floor(2 ** (rng.next() ** 2 * Math.log2(most)))
}

/** Names of properties that JavaScript has by itself. */
export const nativeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
]

/** A word that the parser is likely to interpret. */
export function word(rng: Rng): string {
  return pick(rng, [
    'a',
    'app',
    'spec',
    'metadata.name',
    'kubernetes.io/metadata.name',
    'x'.repeat(64),
    'a/b',
    '',
    'ä',
    '0',
    'true',
    '*',
    ...nativeKeys,
  ])
}
