'use client'
import { useQuery } from '@tanstack/react-query'
import type { PolicyManifest } from '@/lib/view/lab/document'
import { read } from '../hooks/actions'
import { useText } from '../messages/use-text'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { documentPath } from '../hooks/document-path'
import { SelectionTable } from './selection-table'
import { useLabView } from './use-lab'

/** What the policy selects, object by object, and the overrides of its workloads. */
export function Selection({ id }: { id: string }) {
  const text = useText()
  const document = useQuery({
    queryKey: ['policy-document', id, 'read'],
    queryFn: ({ signal }) => read<{ manifest: PolicyManifest }>(`${documentPath(id)}/document`, signal),
    staleTime: 5_000,
    retry: false,
  })
  if (document.error) return <Notice state="held">{document.error.message}</Notice>
  if (!document.data) return <SkeletonRows label={text('policies.lab.loading')} />
  return <SelectionOf manifest={document.data.manifest} />
}

function SelectionOf({ manifest }: { manifest: PolicyManifest }) {
  const text = useText()
  const lab = useLabView(manifest)
  if (lab.error) return <Notice state="held">{lab.error.message}</Notice>
  if (!lab.data) return <SkeletonRows label={text('policies.lab.loading')} />
  return <SelectionTable lab={lab.data} />
}
