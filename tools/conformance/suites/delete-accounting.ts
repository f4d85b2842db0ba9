/** Suite `delete-accounting`: judged as creations are. */
import { suite as creations } from './create-accounting'
import type { Suite } from '../suite'

export const suite: Suite = { name: 'delete-accounting', judge: creations.judge }
