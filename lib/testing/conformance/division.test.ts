import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './division'

test('replicas are divided as recorded', () => expectConformance(suite))
