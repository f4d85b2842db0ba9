import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './spread'

test('clusters are selected as recorded', () => expectConformance(suite))
