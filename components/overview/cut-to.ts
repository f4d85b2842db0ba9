import { lettersOf } from '../picture/letters'

/** A name as far as it fits in a width; Latin letters of the 11 px label are 6 px wide on average. */
export function cutTo(name: string, width: number, letter = 6): string {
  if (fits(name, width, letter)) return name
  const most = Math.floor(width / letter)
  const letters = [...name]
  while (letters.length > 0 && lettersOf(letters.join('')) > most - 1) letters.pop()
  return `${letters.join('')}…`
}

const fits = (name: string, width: number, letter: number): boolean => lettersOf(name) <= Math.floor(width / letter)

/**
 * Names that are shown side by side, each in the same width. Where one of them is too long, they lose the words that
 * all of them begin with: of `member7` and `member12` the numbers are left, as `…7` and `…12`.
 */
export function cutAlike(names: readonly string[], width: number, letter = 6): string[] {
  const shared = names.every((name) => fits(name, width, letter)) ? 0 : sharedWords(names)
  return names.map((name) => cutTo(shared > 0 ? `…${name.slice(shared)}` : name, width, letter))
}

/** Length of the words that all names begin with; something is left of each. A word ends at a sign or at a number. */
function sharedWords([first = '', ...others]: readonly string[]): number {
  if (others.length === 0) return 0
  const isShared = (length: number): boolean =>
    others.every((name) => name.length > length && name.startsWith(first.slice(0, length)))
  const ends = [...first.matchAll(/[-._](?=.)|\D(?=\d)/g)].map(({ index }) => index + 1)
  return ends.findLast(isShared) ?? 0
}
