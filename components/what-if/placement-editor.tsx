'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type PolicyManifest, placementText, readPlacement } from '@/lib/view/lab/document'
import { read } from '../hooks/actions'
import { documentPath } from '../hooks/document-path'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { TextArea } from '../ui/field'
import { Notice } from '../ui/notice'
import { RetryButton } from '../ui/retry-button'
import { SkeletonRows } from '../ui/skeleton'

type Placement = NonNullable<PolicyManifest['spec']['placement']>

interface PlacementEditorProps {
  /** ID of the policy. */
  policy: string
  onUse: (placement: Placement) => void
}

/** The placement of a policy as YAML, edited for the what-if alone. */
export function PlacementEditor({ policy, onUse }: PlacementEditorProps) {
  const text = useText()
  const document = useQuery({
    queryKey: ['policy-document', policy],
    queryFn: ({ signal }) => read<{ manifest: PolicyManifest }>(`${documentPath(policy)}/document`, signal),
    refetchOnWindowFocus: false,
    retry: false,
  })
  if (document.error) {
    return (
      <Notice state="fail" action={<RetryButton error={document.error} onRetry={() => void document.refetch()} />}>
        {document.error.message}
      </Notice>
    )
  }
  if (!document.data) return <SkeletonRows label={text('whatIf.premise.placementLoading')} />
  return <Editor policy={policy} first={document.data.manifest.spec.placement ?? {}} onUse={onUse} />
}

function Editor({ policy, first, onUse }: PlacementEditorProps & { first: Placement }) {
  const text = useText()
  const [yaml, setYaml] = useState(() => placementText(first))
  const checked = useMemo(() => readPlacement(yaml), [yaml])
  return (
    <form
      className="flex w-full max-w-2xl min-w-0 flex-col items-start gap-2"
      data-testid="placement-editor"
      onSubmit={(event) => {
        event.preventDefault()
        if ('placement' in checked) onUse(checked.placement)
      }}
    >
      <TextArea
        label={text('whatIf.premise.placement', { policy })}
        hint={text('whatIf.premise.placementHint')}
        error={'error' in checked ? text('whatIf.premise.placementInvalid', { error: checked.error }) : undefined}
        value={yaml}
        rows={8}
        spellCheck={false}
        onChange={({ target }) => setYaml(target.value)}
        className="w-full font-mono"
      />
      <Button type="submit" disabled={'error' in checked}>
        {text('whatIf.premise.placementApply')}
      </Button>
    </form>
  )
}
