'use client'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { createPolicyNeeds, createPolicyAnywhereNeeds } from '@/lib/view/needs'
import type { PolicyView } from '@/lib/view/policy-model'
import { useOwnNamespaces } from '../hooks/use-about'
import { answerTo, type Right, useMay } from '../hooks/use-can'

/** With more namespaces they are not asked about one by one. */
const MOST_ASKED = 40

/** Namespaces in which the reader may have a policy: their own ones, and those of policies that they may view. */
export function usePolicyNamespaces(policies: readonly PolicyView[]): string[] {
  const own = useOwnNamespaces()
  return [...new Set([...own, ...policies.flatMap(({ namespace }) => namespace ?? [])])].sort()
}

/**
 * Whether the reader may create a policy of any sort: for the whole control plane, in every namespace, or in one of those
 * that are known. Where none is known, or too many are, the page of the new policy tells.
 */
export function useMayCreatePolicy(policies: readonly PolicyView[]): Right {
  const client = useQueryClient()
  const wide = useMay(createPolicyNeeds(undefined))
  const everywhere = useMay(createPolicyAnywhereNeeds())
  const isSettled = wide.known && everywhere.known && !wide.allowed && !everywhere.allowed
  const namespaces = usePolicyNamespaces(policies)
  const isAsked = isSettled && namespaces.length > 0 && namespaces.length <= MOST_ASKED
  const answers = useQueries({
    queries: (isAsked ? namespaces : []).flatMap(createPolicyNeeds).map((question) => answerTo(question, client)),
  })
  const isRefused = isAsked && answers.every(({ data }) => data?.allowed === false)
  return isRefused ? wide : { allowed: true, known: wide.known }
}
