import { expect, test } from 'vitest'
import { ActionFailure } from '../hooks/api-client'
import { canRetry } from './retry-button'

const failure = (status: number): Error => new ActionFailure({ status, reason: 'Conflict', detail: 'refused' })

test.each([0, 408, 409, 425, 429, 500, 502, 503, 504])('after %i another try can help', (status) => {
  expect(canRetry(failure(status))).toBe(true)
})

test.each([400, 401, 403, 404, 413, 422])('after %i it cannot', (status) => {
  expect(canRetry(failure(status))).toBe(false)
})

test('after an error of the browser it can', () => {
  expect(canRetry(new TypeError('Failed to fetch'))).toBe(true)
})
