'use client'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { createPolicyNeeds, createPolicyAnywhereNeeds } from '@/lib/view/needs'
import type { PolicyView } from '@/lib/view/policy-model'
import { useOwnNamespaces } from '../hooks/use-about'
import { answerTo, type Right, useMay } from '../hooks/use-can'

/** With more namespaces they are not asked about one by one. */
const MAX_ASKED = 40

/** Returns namespaces in which the user may have a policy: their own ones, and those of visible policies. */
export function usePolicyNamespaces(policies: readonly PolicyView[]): string[] {
  const own = useOwnNamespaces()
  return [...new Set([...own, ...policies.flatMap(({ namespace }) => namespace ?? [])])].sort()
}

/**
 * Reports whether the user may create a policy: cluster-scoped, in every namespace, or in a known namespace. Without a
 * known namespace, or with too many, the page of the new policy reports it.
 */
export function useMayCreatePolicy(policies: readonly PolicyView[]): Right {
  const client = useQueryClient()
  const wide = useMay(createPolicyNeeds(undefined))
  const everywhere = useMay(createPolicyAnywhereNeeds())
  const isSettled = wide.known && everywhere.known && !wide.allowed && !everywhere.allowed
  const namespaces = usePolicyNamespaces(policies)
  const isAsked = isSettled && namespaces.length > 0 && namespaces.length <= MAX_ASKED
  const answers = useQueries({
    queries: (isAsked ? namespaces : []).flatMap(createPolicyNeeds).map((question) => answerTo(question, client)),
  })
  const isRefused = isAsked && answers.every(({ data }) => data?.allowed === false)
  return isRefused ? wide : { allowed: true, known: wide.known }
}
