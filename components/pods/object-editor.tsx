'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { parse, stringify } from 'yaml'
import type { ObjectPreviewView, ObjectView } from '@/lib/view/member-model'
import { type ObjectAddress, objectPath } from '@/lib/view/object-address'
import { ActionFailure, ask, order, read } from '../hooks/actions'
import { useText } from '../messages/use-text'
import { Disclosure } from '../plan/manifest'
import { useAnnounce } from '../shell/announcer'
import { KubectlBlock } from '../status/kubectl-block'
import { Button } from '../ui/button'
import { laterPart } from '../ui/later-part'
import { ChangeList } from './change-list'
import { diffObjects, type FieldChange, rebase } from './object-diff'
import { Problem } from './problem'
import { withoutNoise } from './without-noise'

const YamlInput = laterPart(() => import('./yaml-input').then((code) => code.YamlInput))

interface ObjectEditorProps {
  address: ObjectAddress
  /** The object that is edited, as it was when the editor opened. */
  object: unknown
  onClose: () => void
}

type Stage =
  | { name: 'editing' }
  | { name: 'previewed'; object: unknown; changes: FieldChange[] }
  /** Another client was faster: what it changed, and the object now. */
  | { name: 'overtaken'; theirs: unknown; changes: FieldChange[] }

/** Edits an object as the user: dry run, difference, then the write, which never overwrites what it did not see. */
export function ObjectEditor({ address, object, onClose }: ObjectEditorProps) {
  const text = useText()
  const announce = useAnnounce()
  const queries = useQueryClient()
  const [base, setBase] = useState(() => withoutNoise(object))
  const [draft, setDraft] = useState(() => stringify(withoutNoise(object)))
  const [edition, setEdition] = useState(0)
  const [stage, setStage] = useState<Stage>({ name: 'editing' })
  const [conflicts, setConflicts] = useState<FieldChange[]>([])

  /** A version that differs in its status alone is as good as the one that was edited. */
  const guarded = async <T,>(edited: unknown, send: (object: unknown) => Promise<T>): Promise<T> => {
    try {
      return await send(edited)
    } catch (error) {
      if (!(error instanceof ActionFailure) || error.code !== 409) throw error
      const { object: live } = await read<ObjectView>(objectPath(address))
      const theirs = withoutNoise(live)
      const changes = meaningful(diffObjects(base, theirs))
      if (changes.length === 0) return send(withVersionOf(edited, theirs))
      setStage({ name: 'overtaken', theirs, changes })
      throw error
    }
  }
  const preview = useMutation({
    mutationFn: async () => {
      const edited = parse(draft) as unknown
      const { result, live } = await guarded(edited, (sent) =>
        ask<ObjectPreviewView>('/api/v1/object-previews', { object: sent }),
      )
      return { edited, changes: meaningful(diffObjects(withoutNoise(live), withoutNoise(result))) }
    },
    onSuccess: ({ edited, changes }) => setStage({ name: 'previewed', object: edited, changes }),
  })
  const save = useMutation({
    mutationFn: (edited: unknown) =>
      guarded(edited, (sent) => order('/api/v1/objects', { object: sent }, { method: 'PUT' })),
    onSuccess: async () => {
      announce(text('edit.saved', { name: address.name }))
      await queries.invalidateQueries({ queryKey: ['object', objectPath(address)] })
      onClose()
    },
  })
  const onRebase = (theirs: unknown): void => {
    const { object: next, conflicts: both } = rebase(versionless(base), versionless(parse(draft)), versionless(theirs))
    setDraft(stringify(withVersionOf(next, theirs)))
    setBase(theirs)
    setConflicts(both)
    setEdition(edition + 1)
    setStage({ name: 'editing' })
  }
  const onDraft = (next: string): void => {
    setDraft(next)
    setStage((before) => (before.name === 'previewed' ? { name: 'editing' } : before))
  }
  const error = preview.error ?? save.error
  return (
    <div className="flex flex-col gap-3" data-testid="object-editor" data-stage={stage.name}>
      <YamlInput key={edition} label={text('pods.object', { name: address.name })} initial={draft} onChange={onDraft} />
      {conflicts.length > 0 && (
        <section aria-label={text('edit.conflicts')}>
          <h3 className="text-section">{text('edit.conflicts')}</h3>
          <ChangeList changes={conflicts} />
        </section>
      )}
      {stage.name === 'overtaken' && (
        <section aria-label={text('edit.overtaken')} data-testid="overtaken">
          <h3 className="text-section">{text('edit.overtaken')}</h3>
          <ChangeList changes={stage.changes} />
          <Button className="mt-2" variant="primary" onClick={() => onRebase(stage.theirs)}>
            {text('edit.rebase')}
          </Button>
        </section>
      )}
      {stage.name === 'previewed' && (
        <section aria-label={text('edit.changes')} data-testid="edit-changes">
          <h3 className="text-section">{text('edit.changes')}</h3>
          {stage.changes.length === 0 ? (
            <p className="text-ink-2">{text('edit.noChanges')}</p>
          ) : (
            <ChangeList changes={stage.changes} />
          )}
        </section>
      )}
      {error && stage.name !== 'overtaken' && <Problem>{error.message}</Problem>}
      <p className="flex flex-wrap gap-2">
        <Button onClick={() => preview.mutate()} disabled={preview.isPending}>
          {text('edit.preview')}
        </Button>
        <Button
          variant="primary"
          disabled={stage.name !== 'previewed' || stage.changes.length === 0 || save.isPending}
          onClick={() => stage.name === 'previewed' && save.mutate(stage.object)}
        >
          {text('edit.save')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {text('edit.cancel')}
        </Button>
      </p>
      <Disclosure summary={text('edit.kubectl')}>
        <KubectlBlock label={text('edit.kubectl')} text={`kubectl replace -f - <<'EOF'\n${draft}EOF`} />
      </Disclosure>
    </div>
  )
}

/** Without what the server counts: no user changed it. */
const meaningful = (changes: FieldChange[]): FieldChange[] =>
  changes.filter(({ path }) => path !== 'metadata.resourceVersion' && path !== 'metadata.generation')

interface Versioned {
  metadata?: Record<string, unknown>
}

function versionless(object: unknown): unknown {
  const { metadata, ...rest } = (object ?? {}) as Versioned
  const { resourceVersion: _version, generation: _generation, ...kept } = metadata ?? {}
  const { apiVersion, kind, ...others } = rest as Record<string, unknown>
  return { apiVersion, kind, metadata: kept, ...others }
}

function withVersionOf(object: unknown, theirs: unknown): unknown {
  const { metadata, ...rest } = object as Versioned
  const { resourceVersion, generation } = (theirs as Versioned).metadata ?? {}
  const { apiVersion, kind, ...others } = rest as Record<string, unknown>
  return { apiVersion, kind, metadata: { ...metadata, resourceVersion, generation }, ...others }
}
