/** All scenes, in the order of the gallery. */
import type { Scene } from './camera'
import { ACCESS } from './walks/access'
import { CONNECTIONS } from './walks/connection'
import { DEMONSTRATION } from './walks/demonstration'
import { EMPTY } from './walks/empty'
import { LARGE } from './walks/large'

export const SCENES: readonly Scene[] = [...DEMONSTRATION, ...LARGE, ...EMPTY, ...ACCESS, ...CONNECTIONS]
