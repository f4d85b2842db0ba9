/** A name as far as it fits in a width; letters of the 11 px label are 6 px wide on average. */
export function cutTo(name: string, width: number, letter = 6): string {
  const most = Math.floor(width / letter)
  return name.length <= most ? name : `${name.slice(0, Math.max(0, most - 1))}…`
}
