/** Kubernetes' CEL functions on resource quantities. */
import type { Environment } from '@marcbachmann/cel-js'
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  type Quantity as Amount,
  quantityOf,
  subQuantity,
  tryParseQuantity,
} from '../quantity'
import { CelArgumentError } from './argument-error'
import { functionsOf } from './functions'

class Quantity {
  constructor(readonly amount: Amount) {}
}

const NANO = 10n ** 9n
const TYPE = 'kubernetes.Quantity'

export function registerQuantity(env: Environment): void {
  const add = functionsOf(env)
  env.registerType(TYPE, Quantity)
  add(`quantity(string): ${TYPE}`, (text: string) => new Quantity(amountOf(text)))
  add('isQuantity(string): bool', (text: string) => tryParseQuantity(text) !== undefined)
  add(`string(${TYPE}): string`, ({ amount }: Quantity) => formatQuantity(amount))
  add(`${TYPE}.sign(): int`, ({ amount }: Quantity) => BigInt(compareQuantity(amount, quantityOf(0))))
  add(`${TYPE}.isInteger(): bool`, ({ amount }: Quantity) => amount.nano % NANO === 0n)
  add(`${TYPE}.asInteger(): int`, ({ amount }: Quantity) => integerOf(amount))
  add(`${TYPE}.asApproximateFloat(): double`, ({ amount }: Quantity) => Number(amount.nano) / Number(NANO))
  add(`${TYPE}.compareTo(${TYPE}): int`, (a: Quantity, b: Quantity) => BigInt(compareQuantity(a.amount, b.amount)))
  add(`${TYPE}.isGreaterThan(${TYPE}): bool`, (a: Quantity, b: Quantity) => compareQuantity(a.amount, b.amount) > 0)
  add(`${TYPE}.isLessThan(${TYPE}): bool`, (a: Quantity, b: Quantity) => compareQuantity(a.amount, b.amount) < 0)
  add(`${TYPE}.add(${TYPE}): ${TYPE}`, (a: Quantity, b: Quantity) => new Quantity(addQuantity(a.amount, b.amount)))
  add(`${TYPE}.add(int): ${TYPE}`, (a: Quantity, b: bigint) => new Quantity(addQuantity(a.amount, quantityOf(b))))
  add(`${TYPE}.sub(${TYPE}): ${TYPE}`, (a: Quantity, b: Quantity) => new Quantity(subQuantity(a.amount, b.amount)))
  add(`${TYPE}.sub(int): ${TYPE}`, (a: Quantity, b: bigint) => new Quantity(subQuantity(a.amount, quantityOf(b))))
  env.registerOperator(`${TYPE} == ${TYPE}`, (a: Quantity, b: Quantity) => compareQuantity(a.amount, b.amount) === 0)
}

function amountOf(text: string): Amount {
  const amount = tryParseQuantity(text)
  if (!amount) throw new CelArgumentError(`quantity parse error during conversion from string: ${text}`)
  return amount
}

function integerOf({ nano }: Amount): bigint {
  if (nano % NANO !== 0n) throw new CelArgumentError('cannot convert value to integer')
  return nano / NANO
}
