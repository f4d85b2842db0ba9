'use client'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { createPolicyNeeds, createPolicyAnywhereNeeds } from '@/lib/view/needs'
import type { PolicyView } from '@/lib/view/policy-model'
import { answerTo, type Right, useMay } from '../hooks/use-can'

/** Namespaces that are asked about one by one. */
const MOST_ASKED = 40

/**
 * Whether the reader may create a policy of any sort: for the whole control plane, in every namespace, or in one of those
 * that have policies. Where none is known, the page of the new policy tells.
 */
export function useMayCreatePolicy(policies: readonly PolicyView[]): Right {
  const client = useQueryClient()
  const wide = useMay(createPolicyNeeds(undefined))
  const everywhere = useMay(createPolicyAnywhereNeeds())
  const isSettled = wide.known && everywhere.known && !wide.allowed && !everywhere.allowed
  const namespaces = [...new Set(policies.flatMap(({ namespace }) => namespace ?? []))].sort().slice(0, MOST_ASKED)
  const answers = useQueries({
    queries: (isSettled ? namespaces : []).flatMap(createPolicyNeeds).map((question) => answerTo(question, client)),
  })
  const isRefused = isSettled && answers.length > 0 && answers.every(({ data }) => data?.allowed === false)
  return isRefused ? wide : { allowed: true, known: wide.known }
}
