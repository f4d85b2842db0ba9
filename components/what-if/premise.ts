/**
 * What is different before the failure, in the address: `capacity=eu-1~50`, `replicas=ID~5`, `added=eu-9~eu-1` and
 * `policies=shop/web~allow~eu-9`, separated by commas. A whole placement is base64url of its JSON:
 * `policies=shop/web~placement~e30`.
 */
import { POLICY_EDITS, type PolicyEdit } from '@/lib/view/policy-edits'
import type { WhatIfBody } from '@/lib/view/actions'

/** One cluster more or less, or another placement. */
export type EditedPolicy =
  | { policy: string; edit: PolicyEdit; cluster: string }
  | { policy: string; placement: Record<string, unknown> }

export interface Premise {
  /** Per cent of what is allocatable, by cluster. */
  capacity: ReadonlyMap<string, number>
  /** By workload id. */
  replicas: ReadonlyMap<string, number>
  /** New clusters by name: the cluster that each is like. */
  added: ReadonlyMap<string, string>
  policies: readonly EditedPolicy[]
}

const MAX_PERCENT = 1000
const MAX_REPLICAS = 100_000

export const readPremise = (get: (name: string) => string | undefined): Premise => ({
  capacity: readAmounts(get('capacity'), MAX_PERCENT),
  replicas: readAmounts(get('replicas'), MAX_REPLICAS),
  added: new Map(partsOf(get('added')).flatMap(([name, like]) => (name && like ? [[name, like] as const] : []))),
  policies: partsOf(get('policies')).flatMap(([policy, word, what]) =>
    policy && what ? (editIn(policy, word, what) ?? []) : [],
  ),
})

function editIn(policy: string, word: string | undefined, what: string): EditedPolicy | undefined {
  if (word === WHOLE) {
    const placement = readWhole(what)
    return placement && { policy, placement }
  }
  const edit = POLICY_EDITS.find((one) => one === word)
  return edit && { policy, edit, cluster: what }
}

const WHOLE = 'placement'

function readWhole(text: string): Record<string, unknown> | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // A mistyped address is passed over, as every other part of it.
    return undefined
  }
}

function writeWhole(placement: Record<string, unknown>): string {
  const bytes = new TextEncoder().encode(JSON.stringify(placement))
  const text = btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Names of clusters and policies contain neither `,` nor `~`. */
const partsOf = (text = ''): string[][] => text.split(',').map((part) => part.split('~'))

export const writeAdded = (added: ReadonlyMap<string, string>): string =>
  [...added].map(([name, like]) => `${name}~${like}`).join(',')

export const writePolicies = (policies: readonly EditedPolicy[]): string =>
  policies
    .map((one) =>
      'edit' in one
        ? `${one.policy}~${one.edit}~${one.cluster}`
        : `${one.policy}~${WHOLE}~${writeWhole(one.placement)}`,
    )
    .join(',')

/** Ids hold `~` themselves: the last one counts. What is no amount is passed over. */
function readAmounts(text: string | undefined, most: number): Map<string, number> {
  const entries = (text ?? '').split(',').flatMap((part) => {
    const [, name, digits] = /^(.+)~(\d{1,6})$/.exec(part) ?? []
    return name !== undefined && Number(digits) <= most ? [[name, Number(digits)] as const] : []
  })
  return new Map(entries)
}

/** The parameter of the address; undefined where nothing is different. */
export function writeAmounts(amounts: ReadonlyMap<string, number>): string | undefined {
  return amounts.size === 0 ? undefined : [...amounts].map(([name, amount]) => `${name}~${amount}`).join(',')
}

/** The amounts with one more, or without it. */
export function withAmount(
  amounts: ReadonlyMap<string, number>,
  name: string,
  amount: number | undefined,
): Map<string, number> {
  const next = new Map(amounts)
  if (amount === undefined) next.delete(name)
  else next.set(name, amount)
  return next
}

export function premiseBody({ capacity, replicas, added, policies }: Premise): Omit<WhatIfBody, 'cluster' | 'cause'> {
  return {
    ...(added.size > 0 && { added: [...added].map(([name, like]) => ({ name, like })) }),
    ...(policies.length > 0 && { policies: [...policies] }),
    ...(capacity.size > 0 && { capacity: [...capacity].map(([cluster, percent]) => ({ cluster, percent })) }),
    ...(replicas.size > 0 && { replicas: [...replicas].map(([workload, wanted]) => ({ workload, replicas: wanted })) }),
  }
}
