/** Findings of a live page. */
import { test } from '@playwright/test'

/** A live page may change while one looks, and change back: a real finding occurs in each of several looks. */
const MAX_LOOKS = 5

/** Looks until nothing is left that every look found; what only some found is noted in the report of the test. */
export async function lasting(look: () => Promise<string[]>): Promise<string[]> {
  const first = await look()
  let always = first
  for (let looks = 1; always.length > 0 && looks < MAX_LOOKS; looks += 1) {
    const found = await look()
    always = always.filter((finding) => found.includes(finding))
  }
  const passing = first.filter((finding) => !always.includes(finding))
  if (passing.length > 0) test.info().annotations.push({ type: 'passing findings', description: passing.join('; ') })
  return always
}
