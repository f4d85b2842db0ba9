/** Items of one size along one axis, and the part of them that is on screen. */
export interface Track {
  count: number
  /** Where the first one begins, and how long each is, in pixels. */
  start: number
  size: number
  /** How far it is scrolled, and how much of it shows. */
  offset: number
  room: number
  /** So many more on both sides are drawn, so that fast scrolling shows no gap. */
  overscan: number
  /** Drawn wherever it is; negative for none. */
  active: number
}

/** The indexes to draw, in order. */
export function windowOf({ count, start, size, offset, room, overscan, active }: Track): number[] {
  const first = Math.max(0, Math.floor((offset - start) / size) - overscan)
  const last = Math.min(count, Math.ceil((offset + room - start) / size) + overscan)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)
  if (active < 0 || active >= count || (active >= first && active < last)) return shown
  return active < first ? [active, ...shown] : [...shown, active]
}
