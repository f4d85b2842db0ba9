'use client'
import { useState } from 'react'
import { POLICY_EDITS, type PolicyEdit } from '@/lib/view/policy-edits'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { Choice } from '../ui/choice'
import { LaterPlacementEditor } from './later-placement-editor'
import type { EditedPolicy } from './premise'

interface PolicyFieldsProps {
  clusters: readonly string[]
  onEdit: (edited: EditedPolicy) => void
}

type Edit = PolicyEdit | 'placement'
const EDITS: readonly Edit[] = [...POLICY_EDITS, 'placement']

/** An edit of a policy: a cluster that it allows or excludes, or its whole placement. */
export function PolicyFields({ clusters, onEdit }: PolicyFieldsProps) {
  const text = useText()
  const policies = useCollection('policies')
  const [policy, setPolicy] = useState('')
  const [edit, setEdit] = useState<Edit>('allow')
  // Until they are known there is a place for them, so that nothing below moves when they arrive.
  if (policies.refused !== undefined || (policies.loaded && policies.items.length === 0)) return null
  return (
    <div className="flex max-w-full min-w-0 flex-wrap items-end gap-1">
      <Choice
        label={text('whatIf.premise.policy')}
        value={policy}
        onChange={setPolicy}
        hasLateOptions
        options={[
          { value: '', label: text('whatIf.premise.choosePolicy') },
          ...policies.items.map(({ id }) => ({ value: id, label: id })),
        ]}
      />
      <Choice
        label={text('whatIf.premise.edit')}
        value={edit}
        onChange={setEdit}
        options={EDITS.map((value) => ({ value, label: text(`whatIf.premise.edit.${value}`) }))}
      />
      {edit !== 'placement' && (
        <div data-testid="policy-cluster">
          <Choice
            label={text('plan.column.cluster')}
            value=""
            onChange={(cluster) => cluster !== '' && policy !== '' && onEdit({ policy, edit, cluster })}
            options={[
              { value: '', label: text('whatIf.premise.chooseCluster') },
              ...clusters.map((value) => ({ value, label: value })),
            ]}
          />
        </div>
      )}
      {edit === 'placement' && policy !== '' && (
        <LaterPlacementEditor
          key={policy}
          policy={policy}
          onUse={(placement) => onEdit({ policy, placement: { ...placement } })}
        />
      )}
    </div>
  )
}
