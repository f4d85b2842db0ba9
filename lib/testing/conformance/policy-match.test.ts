import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './policy-match'

test('templates are claimed by the policies that were recorded', () => expectConformance(suite))
