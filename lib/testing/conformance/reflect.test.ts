import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './reflect'

test('statuses are collected and aggregated as recorded', () => expectConformance(suite))
