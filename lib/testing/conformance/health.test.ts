import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './health'

test('the health of member objects is judged as recorded', () => expectConformance(suite))
