import { describe, expect, it } from 'vitest'
import { warningHeaders } from './headers'

describe('a warning', () => {
  it.each([
    ['is quoted', 'unknown field "a\\b"', ['299 - "unknown field \\"a\\\\b\\""']],
    ['goes out in UTF-8', 'ü', ['299 - "\u00c3\u00bc"']],
    ['that holds control characters is left out', 'a\nb', []],
    ['that is no Unicode is left out', '\ud800', []],
  ])('%s', (_sentence, text, headers) => {
    expect(warningHeaders([text])).toEqual(headers)
  })

  it('is cut short only when all of them together are too long', () => {
    const long = 'x'.repeat(1000)
    expect(warningHeaders([long])[0]).toHaveLength('299 - ""'.length + 1000)
    const many = warningHeaders(Array.from({ length: 100 }, () => long))
    expect(many).toHaveLength(16)
    expect(many[0]).toHaveLength('299 - ""'.length + 256)
  })
})
