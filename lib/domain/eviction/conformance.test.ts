import { test } from 'vitest'
import { suite as eviction } from '../../testing/conformance/eviction'
import { expectConformance } from '../../testing/conformance/expect-conformance'
import { suite as taints } from '../../testing/conformance/taints'

test('eviction tasks are judged as recorded', () => expectConformance(eviction))
test('NoExecute taints evict as recorded', () => expectConformance(taints))
