/** All scenes, in the order of the gallery. */
import type { Scene } from './camera'
import { COMPARED, type Look, nameOf } from './looks'
import { ACCESS } from './walks/access'
import { CONNECTIONS } from './walks/connection'
import { DEMONSTRATION } from './walks/demonstration'
import { EMPTY } from './walks/empty'
import { LARGE } from './walks/large'
import { STATES } from './walks/states'

export const SCENES: readonly Scene[] = [...DEMONSTRATION, ...LARGE, ...EMPTY, ...ACCESS, ...CONNECTIONS, ...STATES]

/** Looks of a scene of which only a signature is kept; none of a wall, which is shown in one look. */
export function signedLooksOf({ looks, varies }: Scene): readonly Look[] {
  if (varies !== undefined || looks.some(({ size }) => size === 'wall')) return []
  const kept = new Set(looks.map(nameOf))
  return COMPARED.filter((look) => !kept.has(nameOf(look)))
}
