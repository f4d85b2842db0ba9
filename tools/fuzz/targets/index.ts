import type { Target } from '../target'
import { bodies } from './bodies'
import { cel } from './cel'
import { cookies } from './cookies'
import { frames } from './frames'
import { lua } from './lua'
import { patches } from './patches'
import { rbac } from './rbac'
import { selectors } from './selectors'
import { versions } from './versions'
import { yaml } from './yaml'

/** Everything that can be fuzzed, in the order in which it is done. */
export const targets: readonly Target[] = [bodies, patches, yaml, selectors, cel, lua, rbac, versions, frames, cookies]
