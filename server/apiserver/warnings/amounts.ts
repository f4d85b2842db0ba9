/** Warnings about amounts of bytes, which come in whole numbers. */
import type { PersistentVolumeClaim } from '@/lib/kube/kinds'
import { compareQuantity, quantityOf, quantityValue, tryParseQuantity } from '@/lib/kube/quantity'

type Amounts = Readonly<Record<string, number | string>>

export function fractionWarnings(amounts: Amounts = {}, path: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const amount = amounts[name] === undefined ? undefined : tryParseQuantity(amounts[name])
    if (!amount || compareQuantity(amount, quantityOf(quantityValue(amount))) === 0) return []
    return [
      `${path}[${name}]: fractional byte value ${JSON.stringify(String(amounts[name]))} is invalid, must be an integer`,
    ]
  })
}

/** Of what a claim asks for. */
export function claimWarnings({ resources }: PersistentVolumeClaim['spec'] = {}, path: string): string[] {
  return [
    ...fractionWarnings(resources?.requests, `${path}.resources.requests`, ['storage']),
    ...fractionWarnings(resources?.limits, `${path}.resources.limits`, ['storage']),
  ]
}
