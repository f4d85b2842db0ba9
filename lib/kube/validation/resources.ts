/** The rules of amounts of resources. */
import { ownField } from '@/lib/std/fields'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { Container } from '../kinds'
import { QUANTITY_RULE } from '../schema-mismatch'
import {
  compareQuantity,
  formatQuantity,
  quantityMilli,
  quantityValue,
  roundUpToMilli,
  tryParseQuantity,
  ZERO,
} from '../quantity'
import { validateUsedClaims } from './resource-claims'
import {
  checkContainerResource as checkContainerName,
  isCounted,
  isHugePages,
  isSharedOut,
  pageSizeOf,
} from './resource-names'

/** Amounts that a container asks for, none of them above its limit, and the devices of its pod. */
export function validateResources(
  resources: Container['resources'] = {},
  field: string,
  claims: ReadonlySet<string>,
): FieldError[] {
  return validateRequirements(resources, field, { checkName: checkContainerResource, claims })
}

interface Rules {
  checkName: (name: string, field: string) => FieldError[]
  /** The names of the devices of the pod. */
  claims: ReadonlySet<string>
}

/** Amounts of resources whose names `checkName` knows. */
export function validateRequirements(
  { limits = {}, requests = {}, claims = [] }: Requirements,
  field: string,
  rules: Rules,
): FieldError[] {
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  const idle = names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')
  return [
    ...Object.keys(limits).flatMap((name) => [
      ...rules.checkName(name, `${field}.limits[${name}]`),
      ...validateAmount(limits, name, `${field}.limits[${name}]`),
      ...validatePages(name, limits[name] ?? 0, `${field}.limits[${name}]`),
    ]),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...rules.checkName(name, `${field}.requests[${name}]`),
      ...validateAmount(requests, name, `${field}.requests[${name}]`),
      ...validateShare(name, amount, { limit: ownField(limits, name), field }),
      ...validatePages(name, amount, `${field}.requests[${name}]`),
    ]),
    ...(idle ? [forbiddenField(field, 'HugePages require cpu or memory')] : []),
    ...validateUsedClaims(claims, rules.claims, `${field}.claims`),
  ]
}

type Requirements = NonNullable<Container['resources']>
type Amounts = Readonly<Record<string, number | string>>

function checkContainerResource(name: string, field: string): FieldError[] {
  return checkContainerName(name).map((problem) => invalidField(field, name, problem))
}

function validateAmount(amounts: Amounts, name: string, field: string): FieldError[] {
  const amount = amounts[name] ?? ''
  return [...validateQuantity(amount, field), ...(isCounted(name) ? validateWhole(amount, field) : [])]
}

/** Whole pages of the size in the name. */
function validatePages(name: string, amount: number | string, field: string): FieldError[] {
  if (!isHugePages(name)) return []
  const [size, quantity] = [tryParseQuantity(pageSizeOf(name)), tryParseQuantity(amount)]
  if (!quantity) return []
  const isWhole =
    size !== undefined
    && compareQuantity(size, ZERO) > 0
    && quantityMilli(size) % 1000n === 0n
    && quantityValue(quantity) % quantityValue(size) === 0n
  const rule = `${String(amount)} is not positive integer multiple of ${name}`
  return isWhole ? [] : [invalidField(field, String(amount), rule)]
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
