import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './filter'

test('clusters are filtered as recorded', () => expectConformance(suite))
