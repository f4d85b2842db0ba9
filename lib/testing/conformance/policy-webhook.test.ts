import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite } from './policy-webhook'

test('policy webhooks answer as recorded', () => expectConformance(suite))
