import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatImage, parseImage, withTagOrDigest } from './image-reference'

const word = fc.stringMatching(/^[a-z0-9]{1,8}((\.|_|__|-)[a-z0-9]{1,4}){0,2}$/)
const registry = fc.stringMatching(/^[a-z0-9]{1,8}(\.[a-z]{2,5}){0,2}(:[0-9]{2,5})?$/)
const tag = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,12}$/)
const digest = fc.stringMatching(/^sha256:[0-9a-f]{64}$/)

const image = fc
  .record({
    registry: fc.option(registry, { nil: '' }),
    repository: word,
    version: fc.oneof(fc.constant(''), tag, digest),
  })
  .map(({ registry, repository, version }) => withTagOrDigest({ registry, repository, tag: '', digest: '' }, version))

test('a formatted reference is parsed to the same parts', () => {
  fc.assert(
    fc.property(image, (parts) => {
      expect(parseImage(formatImage(parts))).toEqual(parts)
    }),
    { seed: 7, numRuns: 300 },
  )
})

test.each(['', 'UPPER', 'a//b', 'a:', ':1', 'a@sha256:12', 'a b', '-a', 'http://a/b'])(
  '"%s" is not a valid image reference',
  (text) => {
    expect(() => parseImage(text)).toThrow('is not a valid image reference')
  },
)
