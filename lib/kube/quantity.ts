/**
 * Resource quantities such as `500m`, `2Gi` or `1e3`, calculated exactly.
 *
 * A quantity is a whole number of billionths together with the family of suffixes that it was written in; the
 * canonical text follows from both, as an API server writes it: no fraction, the largest suffix that keeps the number
 * whole, `1.5Gi` as `1536Mi`, `1000m` as `1`.
 */

/** The family of suffixes: `k M G`, `Ki Mi Gi`, or `e3 e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** An exact amount. Immutable. */
export interface Quantity {
  /** The amount in billionths of the unit. */
  readonly nano: bigint
  readonly format: QuantityFormat
}

const NANO_DIGITS = 9
const NANO = 10n ** 9n
const MICRO_IN_NANO = 1_000_000n
const MAX_BINARY = (2n ** 63n - 1n) * NANO
/** Beyond this a decimal exponent is a typing error, and expanding it would only cost memory. */
const MAX_EXPONENT = 1_000
const FORM = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?[0-9]+))?$/
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const
const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const DECIMAL_NAMES = new Map(Object.entries(DECIMAL_SUFFIXES).map(([name, power]) => [power, name]))

/** The quantity 0. */
export const ZERO: Quantity = { nano: 0n, format: 'DecimalSI' }

/** The same few amounts are read again and again; a limit keeps a flood of others from staying. */
const REMEMBERED = 4096
const MAX_REMEMBERED_LENGTH = 32
const known = new Map<string, Quantity>()

/** Parses a quantity from a string or a JSON number; returns undefined for an invalid one. */
export function tryParseQuantity(value: string | number): Quantity | undefined {
  const text = String(value)
  const remembered = known.get(text)
  if (remembered) return remembered
  const quantity = readQuantity(text)
  if (!quantity || text.length > MAX_REMEMBERED_LENGTH) return quantity
  if (known.size >= REMEMBERED) known.clear()
  known.set(text, quantity)
  return quantity
}

/** Longer strings are rejected, because parsing millions of digits takes seconds. */
const LONGEST = 1024

function readQuantity(text: string): Quantity | undefined {
  if (text.length > LONGEST) return undefined
  const match = FORM.exec(text)
  if (!match) return undefined
  const [, sign, whole, fraction, bareFraction, binary, decimal, exponent] = match
  const digits = `${whole ?? ''}${fraction ?? bareFraction ?? ''}`
  const places = (fraction ?? bareFraction ?? '').length
  const amount = { digits: BigInt(digits), places }
  const quantity = binary
    ? fromBinary(amount, BINARY_SUFFIXES.indexOf(binary as 'Ki'))
    : fromDecimal(amount, decimal, exponent)
  return quantity && sign === '-' ? { ...quantity, nano: -quantity.nano } : quantity
}

/**
 * Parses a quantity from a string or a JSON number. Parts below one billionth are rounded up. Throws a RangeError for
 * an invalid quantity.
 */
export function parseQuantity(text: string | number): Quantity {
  const quantity = tryParseQuantity(text)
  if (!quantity) throw new RangeError(`not a quantity: ${JSON.stringify(text)}`)
  return quantity
}

interface Amount {
  digits: bigint
  places: number
}

function fromBinary({ digits, places }: Amount, step: number): Quantity {
  const scaled = ceilDiv(digits * 1024n ** BigInt(step) * NANO, 10n ** BigInt(places))
  const nano = scaled > MAX_BINARY ? MAX_BINARY : scaled
  return { nano, format: nano < NANO && nano > 0n ? 'DecimalSI' : 'BinarySI' }
}

function fromDecimal(amount: Amount, suffix: string | undefined, exponent: string | undefined): Quantity | undefined {
  const power = exponent === undefined ? DECIMAL_SUFFIXES[suffix ?? '']! : Number(exponent)
  if (Math.abs(power) > MAX_EXPONENT) return undefined
  const shift = power + NANO_DIGITS - amount.places
  const nano = shift >= 0 ? amount.digits * 10n ** BigInt(shift) : ceilDiv(amount.digits, 10n ** BigInt(-shift))
  return { nano, format: exponent === undefined ? 'DecimalSI' : 'DecimalExponent' }
}

/** Division of a non-negative number, rounded up. */
function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

/** Division rounded away from zero, as upstream rounds when it reads a quantity at a coarser scale. */
function divideAway(dividend: bigint, divisor: bigint): bigint {
  return dividend < 0n ? -ceilDiv(-dividend, divisor) : ceilDiv(dividend, divisor)
}

/** The canonical text. */
export function formatQuantity(quantity: Quantity): string {
  const { nano, format } = quantity
  if (nano === 0n) return '0'
  const small = nano > -1024n * NANO && nano < 1024n * NANO
  if (format === 'BinarySI' && !small && nano % NANO === 0n) return formatBinary(nano / NANO)
  return formatDecimal(nano, format === 'DecimalExponent')
}

function formatBinary(value: bigint): string {
  let step = 0
  let mantissa = value
  while (mantissa % 1024n === 0n && step < BINARY_SUFFIXES.length - 1) {
    mantissa /= 1024n
    step += 1
  }
  return `${mantissa}${BINARY_SUFFIXES[step]}`
}

function formatDecimal(nano: bigint, asExponent: boolean): string {
  let power = -NANO_DIGITS
  let mantissa = nano
  while (mantissa % 1000n === 0n) {
    mantissa /= 1000n
    power += 3
  }
  const name = DECIMAL_NAMES.get(power)
  if (!asExponent && name !== undefined) return `${mantissa}${name}`
  return power === 0 ? `${mantissa}` : `${mantissa}e${power}`
}

/** A whole number of units. */
export function quantityOf(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { nano: BigInt(value) * NANO, format }
}

/** A whole number of thousandths. */
export function milliQuantityOf(milli: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { nano: BigInt(milli) * MICRO_IN_NANO, format }
}

/** The sum. It keeps the format of `a`, or takes that of `b` while `a` is zero. */
export function addQuantity(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format }
}

/** The difference. It keeps the format of `a`, or takes that of `b` while `a` is zero. */
export function subQuantity(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano - b.nano, format: a.nano === 0n ? b.format : a.format }
}

/** Below zero, zero, or above zero, as `a` is less than, equal to or greater than `b`; formats do not count. */
export function compareQuantity(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nano === b.nano) return 0
  return a.nano < b.nano ? -1 : 1
}

/** The amount in whole units, rounded away from zero (`Value()`). */
export function quantityValue(quantity: Quantity): bigint {
  return divideAway(quantity.nano, NANO)
}

/** The amount in whole thousandths, rounded away from zero (`MilliValue()`). */
export function quantityMilli(quantity: Quantity): bigint {
  return divideAway(quantity.nano, MICRO_IN_NANO)
}

/** Rounds a quantity to thousandths, away from zero, as in stored resource lists. */
export function roundUpToMilli(quantity: Quantity): Quantity {
  return { nano: quantityMilli(quantity) * MICRO_IN_NANO, format: quantity.format }
}
