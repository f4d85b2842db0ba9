/** The rules of amounts of resources. */
import { ownField } from '@/lib/std/fields'
import { type FieldError, invalidField } from '../field-error'
import type { Container } from '../kinds'
import { QUANTITY_RULE } from '../schema-mismatch'
import { compareQuantity, tryParseQuantity, ZERO } from '../quantity'

/** Amounts that a container asks for, none of them above its limit. */
export function validateResources(resources: Container['resources'] = {}, field: string): FieldError[] {
  const { limits = {}, requests = {} } = resources
  return [
    ...validateAmounts(limits, `${field}.limits`),
    ...validateAmounts(requests, `${field}.requests`),
    ...Object.entries(requests).flatMap(([name, amount]) => {
      const limit = ownField(limits, name)
      const [asked, most] = [tryParseQuantity(amount), limit === undefined ? undefined : tryParseQuantity(limit)]
      if (!asked || !most || compareQuantity(asked, most) <= 0) return []
      return [
        invalidField(
          `${field}.requests`,
          String(amount),
          `must be less than or equal to ${name} limit of ${String(limit)}`,
        ),
      ]
    }),
  ]
}

/** Every amount is a quantity and none is negative. */
export function validateAmounts(amounts: Readonly<Record<string, number | string>>, field: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const quantity = tryParseQuantity(amount)
    if (!quantity) return [invalidField(`${field}[${name}]`, amount, QUANTITY_RULE)]
    return compareQuantity(quantity, ZERO) < 0
      ? [invalidField(`${field}[${name}]`, String(amount), 'must be greater than or equal to 0')]
      : []
  })
}
