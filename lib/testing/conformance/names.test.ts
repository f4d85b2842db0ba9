import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './names'

test('names are generated as recorded', () => expectConformance(suite))
