'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { diffLines } from '@/lib/view/lab/diff'
import { editableText, type PolicyManifest } from '@/lib/view/lab/document'
import { policyId } from '@/lib/view/policy-model'
import { ActionFailure, ask, order, read } from '../hooks/actions'
import { useRightsAgain } from '../hooks/use-can'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { Drawer } from '../ui/drawer'
import { Notice } from '../ui/notice'
import { DiffView } from './diff-view'
import { documentPath } from '../hooks/document-path'
import type { Draft } from './use-lab'

interface SaveDrawerProps {
  draft: Draft
  id: string | undefined
  /** What saving does, in words. */
  saving: string | undefined
  onClose: () => void
  onSaved: () => void
}

interface PolicyAnswer {
  manifest: PolicyManifest
}

/** The changed lines, the verdict of a dry run on the server, and the button that saves as the user. */
export function SaveDrawer({ draft, id, saving, onClose, onSaved }: SaveDrawerProps) {
  const text = useText()
  const { save, dryRun, conflict, take } = useSave({ draft, id, onSaved })
  const before = conflict ? editableText(conflict) : id === undefined ? '' : draft.first
  return (
    <Drawer
      open
      onClose={onClose}
      wide
      title={text('policies.save.title', { name: draft.good.manifest.metadata.name })}
      description={saving}
      footer={
        <div className="flex items-center justify-end gap-2">
          <Button onClick={onClose}>{text('policies.save.cancel')}</Button>
          <Button
            variant="primary"
            disabled={!dryRun.isSuccess || save.isPending || (conflict !== undefined && !take.taken)}
            onClick={() => save.mutate()}
            data-testid="save-policy"
          >
            {text('policies.save.save')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        <DryRun dryRun={dryRun} />
        {save.error && !conflict && (
          <Notice state="fail" role="alert">
            {save.error.message}
          </Notice>
        )}
        {conflict && <Conflict original={draft.first} current={editableText(conflict)} {...take} />}
        <section aria-label={text('policies.save.changes')}>
          <h3 className="text-section">{text('policies.save.changes')}</h3>
          <DiffView lines={diffLines(before, editableText(draft.manifest))} />
        </section>
      </div>
    </Drawer>
  )
}

/** Saves under the version that was edited; where another client was first, gets what that one wrote. */
function useSave({ draft, id, onSaved }: Pick<SaveDrawerProps, 'draft' | 'id' | 'onSaved'>) {
  const text = useText()
  const client = useQueryClient()
  const router = useRouter()
  const announce = useAnnounce()
  const rightsAgain = useRightsAgain()
  const [conflict, setConflict] = useState<PolicyManifest>()
  const [taken, setTaken] = useState(false)
  const base = conflict ?? draft.manifest
  const manifest = {
    ...draft.manifest,
    metadata: { ...draft.manifest.metadata, resourceVersion: base.metadata['resourceVersion'] },
  }
  const dryRun = useQuery({
    queryKey: ['policy-dry-run', manifest],
    queryFn: ({ signal }) => ask<PolicyAnswer>('/api/v1/policy-dry-runs', { manifest }, signal),
    gcTime: 0,
    retry: false,
  })
  const save = useMutation({
    mutationFn: () =>
      id === undefined
        ? order<PolicyAnswer>('/api/v1/policies', { manifest })
        : order<PolicyAnswer>(
            documentPath(id),
            { manifest },
            { method: 'PUT', ifMatch: `g${base.metadata.generation ?? 0}` },
          ),
    onSuccess: ({ manifest: saved }) => {
      announce(text('policies.save.saved', { name: saved.metadata.name }))
      onSaved()
      const { namespace, name } = saved.metadata
      if (id === undefined) return router.push(href.policy(policyId({ namespace, name }), { view: 'lab' }))
      client.setQueryData(['policy-document', id], { manifest: saved })
    },
    onError: async (error) => {
      rightsAgain(error)
      const isConflict = error instanceof ActionFailure && (error.code === 412 || error.code === 409)
      if (!isConflict || id === undefined) return
      setTaken(false)
      setConflict((await read<PolicyAnswer>(`${documentPath(id)}/document`)).manifest)
    },
  })
  return { save, dryRun, conflict, take: { taken, onTake: () => setTaken(true) } }
}

function DryRun({ dryRun }: { dryRun: ReturnType<typeof useSave>['dryRun'] }) {
  const text = useText()
  if (dryRun.error) {
    return (
      <Notice state="fail" role="alert">
        <span data-testid="dry-run" data-ok="false">
          {text('policies.save.dryRunRefused', { reason: dryRun.error.message })}
        </span>
      </Notice>
    )
  }
  return (
    <output className="flex items-center gap-2" data-testid="dry-run" data-ok={dryRun.isSuccess}>
      <StateGlyph state={dryRun.isSuccess ? 'ok' : 'active'} />
      {text(dryRun.isSuccess ? 'policies.save.dryRunPassed' : 'policies.save.dryRunning')}
    </output>
  )
}

interface ConflictProps {
  original: string
  current: string
  taken: boolean
  onTake: () => void
}

/** Another client changed the policy: what it changed, and that saving would replace it. */
function Conflict({ original, current, taken, onTake }: ConflictProps) {
  const text = useText()
  return (
    <section aria-label={text('policies.save.conflict')} data-testid="save-conflict">
      <Notice
        state="warn"
        role="alert"
        action={
          <Button small disabled={taken} onClick={onTake}>
            {text('policies.save.replace')}
          </Button>
        }
      >
        {text(taken ? 'policies.save.replacing' : 'policies.save.conflict')}
      </Notice>
      <h3 className="mt-2 text-section">{text('policies.save.theirChanges')}</h3>
      <DiffView lines={diffLines(original, current)} />
    </section>
  )
}
