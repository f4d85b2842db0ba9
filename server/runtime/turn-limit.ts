import type { Clock } from '@/lib/std/clock'

/** Work on many rows lets others run after this time. Shorter, and a fleet that fails over is shown late. */
const TURN_MS = 40

/** Tells whether work that begins now has computed long enough for one turn of the event loop. */
export function turnLimit(clock: Pick<Clock, 'elapsed'>): () => boolean {
  const until = clock.elapsed() + TURN_MS
  return () => clock.elapsed() >= until
}
