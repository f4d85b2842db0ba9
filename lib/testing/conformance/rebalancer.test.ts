import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './rebalancer'

test('rebalancers behave as recorded', () => expectConformance(suite))
