import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './replicas'

test('replicas are read and revised as recorded', () => expectConformance(suite))
