import { describe, expect, it } from 'vitest'
import fc from '@/lib/testing/properties'
import { csvField } from './csv'

/** A field as RFC 4180 reads it. */
const read = (field: string): string => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)

describe('fields of comma-separated values', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('make no formula of %j', (value) => {
    expect(read(csvField(value))).toBe(`'${value}`)
  })

  it('keep numbers as they are', () => {
    expect(csvField(-1)).toBe('-1')
  })

  it('are read back as they were, and no text is a formula', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const field = csvField(value)
        const back = read(field)
        expect(back === value || back === `'${value}`).toBe(true)
        expect(/^[=+\-@\t\r]/.test(back)).toBe(false)
        if (!field.startsWith('"')) expect(/[",\r\n]/.test(field)).toBe(false)
      }),
    )
  })
})
