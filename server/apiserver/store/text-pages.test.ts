import { expect, test } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import { type PagedText, TextPages } from './text-pages'

const ALPHABET = ['a', '"', 'é', '\u2028', '容', '🛟', '\\ud800']

test('reads every kept text while others come and go in any order', () => {
  const rng = seededRng(47)
  const pages = new TextPages()
  const kept: { text: string; paged: PagedText }[] = []
  for (let step = 0; step < 20_000; step++) {
    if (kept.length < 800 && rng.below(5) > 1) {
      const text = ALPHABET[rng.below(ALPHABET.length)]!.repeat(rng.below(2_000))
      const paged = pages.keep(text)
      if (paged) kept.push({ text, paged })
    } else if (kept.length > 0) {
      const [left] = kept.splice(rng.below(kept.length), 1)
      expect(left!.paged.read()).toBe(left!.text)
      left!.paged.free()
    }
  }
  for (const { text, paged } of kept) expect(paged.read()).toBe(text)
})

test('uses the memory of freed texts again', () => {
  const pages = new TextPages()
  const text = 'x'.repeat(10_000)
  const before = process.memoryUsage().arrayBuffers
  for (let round = 0; round < 10_000; round++) pages.keep(text)?.free()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10e6)
})

test('does not keep a text that a page has little room for', () => {
  expect(new TextPages().keep('x'.repeat(100_000))).toBeUndefined()
})
