'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import {
  editableText,
  type PolicyManifest,
  type ReadPolicy,
  readPolicy,
  withField,
  withSystemFields,
} from '@/lib/view/lab/document'
import type { FieldEdit } from '@/lib/view/lab/form'
import type { LabInputs } from '@/lib/view/lab/inputs'
import { labOutcome, resultOf } from '@/lib/view/lab/outcome'
import type { LabView, PlacementPreviewView } from '@/lib/view/policy-model'
import { ask } from '../hooks/actions'
import { browserClock } from '../hooks/browser-clock'

type GoodPolicy = Extract<ReadPolicy, { ok: true }>

/** The server is asked once the typing rests. */
const REST_MS = 400

/** The fields of a policy that affect its workloads; the lab's request contains only these. */
const draftOf = ({ metadata: { namespace, name }, spec }: PolicyManifest) => ({
  policy: { name, ...(namespace !== undefined && { namespace }) },
  resourceSelectors: spec.resourceSelectors,
  ...(spec.priority !== undefined && { priority: spec.priority }),
  ...(spec.preemption !== undefined && { preemption: spec.preemption }),
})

/** The objects that a policy selects, with their bindings and the clusters. */
export function useLabView(manifest: PolicyManifest) {
  const draft = draftOf(manifest)
  return useQuery({
    queryKey: ['placement-lab', draft],
    queryFn: ({ signal }) => ask<LabView>('/api/v1/placement-labs', draft, signal),
    staleTime: 15_000,
    refetchOnWindowFocus: false,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

/** One document, edited as text or by fields; the last valid one is what is computed. `proposed`: an edit of the placement to begin with. */
export function useDraft(original: PolicyManifest, proposed?: FieldEdit) {
  const first = editableText(original)
  const [text, setText] = useState(() =>
    proposed ? withField(first, ['spec', 'placement', ...proposed.path], proposed.value) : first,
  )
  const [good, setGood] = useState<GoodPolicy>(() => goodOf(text, original))
  const read = useMemo(() => readPolicy(text), [text])
  const change = (next: string) => {
    setText(next)
    const changed = readPolicy(next)
    if (changed.ok) setGood(changed)
  }
  return {
    text,
    first,
    good,
    problem: read.ok ? undefined : read,
    change,
    set: ({ path, value }: FieldEdit) => change(withField(text, path, value)),
    edit: ({ path, value }: FieldEdit) => change(withField(text, ['spec', 'placement', ...path], value)),
    manifest: withSystemFields(good.manifest, original),
    isChanged: text !== first,
  }
}

export type Draft = ReturnType<typeof useDraft>

/** Returns the stored policy, which is valid; if it cannot be parsed, its placement is used unchanged. */
function goodOf(text: string, original: PolicyManifest): GoodPolicy {
  const read = readPolicy(text)
  if (read.ok) return read
  return { ok: true, manifest: original, placement: original.spec.placement ?? {}, lazy: false }
}

/** Everything that the draft would do, computed here, and by the server a moment later. */
export function useOutcome({ good }: Draft, lab: LabView | undefined) {
  const placement = useDeferredValue(good.placement)
  const inputs = useMemo(
    () =>
      lab?.clusters
        ? ({ bindings: lab.bindings, clusters: lab.clusters, profile: lab.profile } as never as LabInputs)
        : undefined,
    [lab],
  )
  const outcome = useMemo(() => inputs && labOutcome(inputs, placement, good.lazy), [inputs, placement, good.lazy])
  const server = useServerResult({ ...good, placement })
  const differing = useMemo(() => {
    if (!outcome || !server) return []
    const byId = new Map(server.workloads.map((one) => [one.id, one]))
    return outcome.workloads.flatMap(({ id, tried }) => {
      const other = byId.get(id)
      if (!other) return []
      const own = resultOf(tried)
      return JSON.stringify(own.rebalanced) === JSON.stringify(other.rebalanced) ? [] : [other]
    })
  }, [outcome, server])
  return { inputs, outcome, server, differing }
}

export type LabResult = ReturnType<typeof useOutcome>

/** The server's answer for this document; undefined while there is only one for an earlier edit. */
function useServerResult({ manifest, placement, lazy }: GoodPolicy): PlacementPreviewView | undefined {
  const current = JSON.stringify({ ...draftOf(manifest), placement, lazy })
  const body = useRested(current)
  const { data } = useQuery({
    queryKey: ['placement-preview', body],
    queryFn: ({ signal }) => ask<PlacementPreviewView>('/api/v1/placement-previews', JSON.parse(body), signal),
    staleTime: 15_000,
    refetchOnWindowFocus: false,
    retry: false,
  })
  return body === current ? data : undefined
}

/** The value once it has not changed for a moment. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => browserClock.after(REST_MS, () => setRested(value)), [value])
  return rested
}
