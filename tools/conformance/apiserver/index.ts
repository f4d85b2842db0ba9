/**
 * Behavior of an API server as a suite that runs against any server: `for (const { topic, cases } of conformance)` and
 * `runCase(target, run)`.
 */
import { authorizing } from './access'
import { asking } from './asking'
import type { Topic } from './case'
import { defining } from './defining'
import { documents } from './documents'
import { living } from './living'
import { applying, patching } from './patching'
import { listing, watching } from './reading'
import { creating, deleting, updating } from './writing'

export { runCase, type Target } from './api'

export const conformance: readonly Topic[] = [
  creating,
  updating,
  patching,
  applying,
  deleting,
  listing,
  watching,
  living,
  defining,
  authorizing,
  asking,
  documents,
]
