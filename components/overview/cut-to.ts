import { lettersOf } from '../picture/letters'

/** A name as far as it fits in a width; Latin letters of the 11 px label are 6 px wide on average. */
export function cutTo(name: string, width: number, letter = 6): string {
  const most = Math.floor(width / letter)
  if (lettersOf(name) <= most) return name
  const letters = [...name]
  while (letters.length > 0 && lettersOf(letters.join('')) > most - 1) letters.pop()
  return `${letters.join('')}…`
}
