import { test } from 'vitest'
import { suite as failover } from '../../testing/conformance/appfailover'
import { expectConformance } from '../../testing/conformance/expect-conformance'
import { suite as deviations } from '../../testing/conformance/failover-deviations'

test('workloads that fail are moved as recorded', () => expectConformance(failover))
test('what is done otherwise on purpose is done so, and can be switched off', () => expectConformance(deviations))
