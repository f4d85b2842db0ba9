'use client'
import { useState } from 'react'
import { createPolicyNeeds, savePolicyNeeds } from '@/lib/view/needs'
import { ActButton } from '../commands/act-button'
import { useMay } from '../hooks/use-can'
import { useCanRebalance } from '../hooks/use-rebalance-rights'
import { useSelection } from '../hooks/use-selection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { LaterPlanDrawer } from '../plan/later-plan-drawer'
import { Button } from '../ui/button'
import { useExists } from './new-fields'
import { savingOf } from './policy-texts'
import { SaveDrawer } from './save-drawer'
import type { Draft, LabResult } from './use-lab'

interface LabActionsProps {
  draft: Draft
  /** Undefined: the policy is new. */
  id: string | undefined
  result: LabResult
  /** The document before the last save. */
  previous: string | undefined
  onSaved: (previous: string) => void
}

/** What saving does, and the buttons: discard, undo, save, rebalance. They stay in sight at the foot. */
export function LabActions({ draft, id, result: { outcome }, previous, onSaved }: LabActionsProps) {
  const text = useText()
  const [saving, setSaving] = useState(false)
  const { namespace, name } = draft.good.manifest.metadata
  const right = useMay(id === undefined ? createPolicyNeeds(namespace) : savePolicyNeeds({ namespace, name }))
  const exists = useExists(draft.good.manifest)
  const blocked = draft.problem
    ? { allowed: false, reason: text('policies.form.invalid') }
    : id === undefined && exists
      ? { allowed: false, reason: text('policies.new.taken') }
      : id !== undefined && !draft.isChanged
        ? { allowed: false, reason: text('policies.lab.unchanged') }
        : right
  return (
    <footer className="sticky bottom-0 z-10 -mx-6 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-6 py-2">
      <p className="min-w-0 grow" data-testid="lab-saving">
        {draft.problem ? text('policies.form.invalid') : outcome && savingOf(text, outcome)}
      </p>
      {draft.isChanged && <Button onClick={() => draft.change(draft.first)}>{text('policies.lab.discard')}</Button>}
      {previous !== undefined && previous !== draft.text && (
        <Button onClick={() => draft.change(previous)}>{text('policies.lab.undo')}</Button>
      )}
      <ActButton command={text('policies.lab.save')} keys="s" right={blocked} onAct={() => setSaving(true)}>
        {text('policies.lab.save')}
      </ActButton>
      {id !== undefined && !draft.isChanged && <RebalanceButton ids={movingIds(outcome)} />}
      {saving && (
        <SaveDrawer
          draft={draft}
          id={id}
          saving={outcome && savingOf(text, outcome)}
          onClose={() => setSaving(false)}
          onSaved={() => {
            onSaved(draft.first)
            setSaving(false)
          }}
        />
      )}
      <LaterPlanDrawer />
    </footer>
  )
}

const movingIds = (outcome: LabResult['outcome']): string[] =>
  (outcome?.workloads ?? []).filter(({ tried }) => tried.moved > 0).map(({ id }) => id)

/** Opens the preview of a rebalance of the workloads that would move. */
function RebalanceButton({ ids }: { ids: readonly string[] }) {
  const text = useText()
  const can = useCanRebalance()
  const [, select] = useSelection()
  const { navigate } = useUrlState()
  const right = ids.length === 0 ? { allowed: false, reason: text('policies.lab.nothingToMove') } : can
  return (
    <ActButton
      command={text('policies.lab.rebalance')}
      keys="p"
      right={right}
      variant="primary"
      onAct={() => {
        select(() => ids)
        navigate({ plan: 'rebalance' })
      }}
    >
      {text('policies.lab.rebalance')}
    </ActButton>
  )
}
