/** What is seen of one thing over time. */
interface Point {
  atMs: number
}

/** Adds a point if it says something new; of those of one moment the last counts, after the one from which all begins. */
export function addPoint<P extends Point>(points: P[], point: P): void {
  if (points.length > 1 && points.at(-1)?.atMs === point.atMs) points.pop()
  const last = points.at(-1)
  if (!last || !isSame({ ...last, atMs: point.atMs }, point)) points.push(point)
}

const isSame = (a: object, b: object): boolean =>
  Object.entries(a).every(([field, value]) => (b as Record<string, unknown>)[field] === value)
