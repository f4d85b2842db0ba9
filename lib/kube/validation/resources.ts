/** The rules of amounts of resources. */
import { ownField } from '@/lib/std/fields'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { Container } from '../kinds'
import { QUANTITY_RULE } from '../schema-mismatch'
import { compareQuantity, formatQuantity, roundUpToMilli, tryParseQuantity, ZERO } from '../quantity'
import { checkContainerResource, isHugePages, isSharedOut } from './resource-names'

/** Amounts that a container asks for, none of them above its limit. */
export function validateResources(resources: Container['resources'] = {}, field: string): FieldError[] {
  const { limits = {}, requests = {} } = resources
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  const idle = names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')
  return [
    ...Object.keys(limits).flatMap((name) => validateAmount(limits, name, `${field}.limits`)),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...validateAmount(requests, name, `${field}.requests`),
      ...validateShare(name, amount, { limit: ownField(limits, name), field }),
    ]),
    ...(idle ? [forbiddenField(field, 'HugePages require cpu or memory')] : []),
  ]
}

type Amounts = Readonly<Record<string, number | string>>

function validateAmount(amounts: Amounts, name: string, field: string): FieldError[] {
  const problems = checkContainerResource(name)
  return [
    ...problems.map((problem) => invalidField(`${field}[${name}]`, name, problem)),
    ...validateQuantity(amounts[name] ?? '', `${field}[${name}]`),
  ]
}

/** What is asked for is not more than the limit, or exactly the limit. */
function validateShare(
  name: string,
  amount: number | string,
  { limit, field }: { limit: number | string | undefined; field: string },
): FieldError[] {
  if (limit === undefined) {
    const rule = 'Limit must be set for non overcommitable resources'
    return isSharedOut(name) ? [] : [requiredField(`${field}.limits`, rule)]
  }
  const [asked, most] = [tryParseQuantity(amount), tryParseQuantity(limit)]
  const order = asked && most ? compareQuantity(asked, most) : 0
  if (order === 0 || (order < 0 && isSharedOut(name))) return []
  const rule = isSharedOut(name) ? 'must be less than or equal to' : 'must be equal to'
  return [invalidField(`${field}.requests`, String(amount), `${rule} ${name} limit of ${String(limit)}`)]
}

/** An amount is a quantity and not negative. */
export function validateQuantity(amount: number | string, field: string): FieldError[] {
  const quantity = tryParseQuantity(amount)
  if (!quantity) return [invalidField(field, amount, QUANTITY_RULE)]
  return compareQuantity(quantity, ZERO) < 0
    ? [invalidField(field, String(amount), 'must be greater than or equal to 0')]
    : []
}

/** An amount of things that cannot be divided. */
export function validateWhole(amount: number | string, field: string): FieldError[] {
  const quantity = tryParseQuantity(amount)
  const isWhole = !quantity || !formatQuantity(roundUpToMilli(quantity)).endsWith('m')
  return isWhole ? [] : [invalidField(field, String(amount), 'must be an integer')]
}
