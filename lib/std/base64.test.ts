import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64Size, decodeBase64, encodeBase64 } from './base64'

test('texts are restored, with the length that Node computes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const encoded = encodeBase64(text)
      expect(encoded).toBe(Buffer.from(text, 'utf8').toString('base64'))
      expect(decodeBase64(encoded)).toBe(text)
      expect(base64Size(encoded)).toBe(Buffer.byteLength(text))
    }),
    { seed: 7 },
  )
})

test('bytes that are no text are told apart, and line breaks do not count', () => {
  expect(decodeBase64('/w==')).toBeUndefined()
  expect(decodeBase64('YWJj\nZGVm')).toBe('abcdef')
  expect(base64Size('YWJj\nZGVm')).toBe(6)
})
