import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './estimate'

test('capacity is estimated as recorded', () => expectConformance(suite))
