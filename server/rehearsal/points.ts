/** Observations of one object over time. */
interface Point {
  atMs: number
}

/** Adds a point if it differs; of several at the same time the last one counts, except for the initial one. */
export function addPoint<P extends Point>(points: P[], point: P): void {
  if (points.length > 1 && points.at(-1)?.atMs === point.atMs) points.pop()
  const last = points.at(-1)
  if (!last || !isSame({ ...last, atMs: point.atMs }, point)) points.push(point)
}

const isSame = (a: object, b: object): boolean =>
  Object.entries(a).every(([field, value]) => (b as Record<string, unknown>)[field] === value)
