import { test } from 'vitest'
import { expectConformance } from '../../testing/conformance/expect-conformance'
import { suite } from '../../testing/conformance/resource-summary'

test('clusters are summed up as recorded', () => expectConformance(suite))
