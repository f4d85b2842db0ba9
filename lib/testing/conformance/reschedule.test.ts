import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './reschedule'

test('bindings are scheduled and rescheduled as recorded', () => expectConformance(suite))
