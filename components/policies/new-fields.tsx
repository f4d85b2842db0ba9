'use client'
import type { PolicyManifest } from '@/lib/view/lab/document'
import type { FieldEdit } from '@/lib/view/lab/form'
import {
  editSelector,
  kindText,
  type ResourceSelector,
  selectedLabels,
  type SelectorField,
  withNewSelector,
  withoutSelector,
  withScope,
  withSelector,
} from '@/lib/view/lab/new-policy'
import { nameProblem } from '@/lib/view/object-name'
import { type LabView, policyId } from '@/lib/view/policy-model'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { Rich } from '../messages/rich'
import { StateMark } from '../status/state-mark'
import { Button } from '../ui/button'
import { Choice } from '../ui/choice'
import { Link } from '../ui/link'
import { TypedField } from './lab-form'
import { SelectionTable } from './selection-table'
import type { Draft } from './use-lab'
import { usePolicyNamespaces } from './use-may-create-policy'

const KINDS = [
  'apps/v1 Deployment',
  'apps/v1 StatefulSet',
  'apps/v1 DaemonSet',
  'batch/v1 Job',
  'batch/v1 CronJob',
  'v1 ConfigMap',
  'v1 Secret',
  'v1 Service',
  'networking.k8s.io/v1 Ingress',
]

/** True when a policy of that name and scope exists, as far as the reader may view it. */
export function useExists({ metadata: { namespace, name } }: PolicyManifest): boolean {
  return useCollection('policies').byId.has(policyId({ namespace, name }))
}

/** Name, scope, selectors and priority of a new policy: what decides which workloads it gets. */
export function NewFields({ draft, lab }: { draft: Draft; lab: LabView | undefined }) {
  const text = useText()
  return (
    <fieldset
      disabled={draft.problem !== undefined}
      className="grid min-w-0 gap-x-8 gap-y-4 wide:grid-cols-[20rem_1fr]"
    >
      <legend className="sr-only">{text('policies.new.what')}</legend>
      <IdentityFields draft={draft} />
      <div className="flex min-w-0 flex-col gap-4">
        <SelectorFields draft={draft} />
        {lab && <SelectionTable lab={lab} />}
      </div>
    </fieldset>
  )
}

function IdentityFields({ draft }: { draft: Draft }) {
  const text = useText()
  const { metadata, spec } = draft.good.manifest
  const { namespace, name } = metadata
  const exists = useExists(draft.good.manifest)
  const namespaces = usePolicyNamespaces(useCollection('policies').items)
  return (
    <section aria-labelledby="new-identity" className="flex min-w-0 flex-col gap-3">
      <h2 id="new-identity" className="text-section">
        {text('policies.new.policy')}
      </h2>
      <Choice
        label={text('policies.new.scope')}
        value={namespace === undefined ? 'cluster' : 'namespace'}
        options={(['namespace', 'cluster'] as const).map((value) => ({
          value,
          label: text(`policies.new.scopes.${value}`),
        }))}
        onChange={(scope) => draft.change(withScope(draft.text, scope === 'cluster' ? undefined : 'default'))}
      />
      {namespace !== undefined && (
        <TypedField
          label={text('policies.new.namespace')}
          value={namespace}
          read={(typed) => nameEdit('namespace', typed)}
          error={text('policies.new.nameInvalid')}
          suggestions={namespaces}
          onEdit={draft.set}
        />
      )}
      <TypedField
        label={text('policies.new.name')}
        value={name}
        read={(typed) => nameEdit('name', typed)}
        error={text('policies.new.nameInvalid')}
        onEdit={draft.set}
      />
      {exists && (
        <p role="alert" className="flex flex-wrap gap-x-2" data-testid="policy-exists">
          <StateMark state="fail" word={text('policies.new.taken')} />
          <Rich
            code="policies.new.exists"
            args={{ name }}
            parts={{ link: <Link href={href.policy(policyId({ namespace, name }))} className="link" /> }}
          />
        </p>
      )}
      <TypedField
        label={text('policies.column.priority')}
        hint={text('policies.new.priorityHint')}
        value={String(spec.priority ?? 0)}
        read={priorityEdit}
        error={text('policies.new.priorityInvalid')}
        onEdit={draft.set}
      />
      <Choice
        label={text('policies.new.preemption')}
        value={spec.preemption === 'Always' ? 'Always' : 'Never'}
        options={(['Never', 'Always'] as const).map((value) => ({
          value,
          label: text(`policies.new.preemptions.${value}`),
        }))}
        onChange={(value) => draft.set({ path: ['spec', 'preemption'], value })}
      />
    </section>
  )
}

function nameEdit(field: 'name' | 'namespace', typed: string): FieldEdit | undefined {
  const value = typed.trim()
  return nameProblem(value) ? undefined : { path: ['metadata', field], value }
}

function priorityEdit(typed: string): FieldEdit | undefined {
  return /^\s*-?\d{1,9}\s*$/.test(typed) ? { path: ['spec', 'priority'], value: Number(typed) } : undefined
}

function SelectorFields({ draft }: { draft: Draft }) {
  const text = useText()
  const { resourceSelectors: selectors } = draft.good.manifest.spec
  const put = (value: readonly ResourceSelector[]) => draft.set({ path: ['spec', 'resourceSelectors'], value })
  return (
    <section aria-labelledby="new-selectors" className="flex min-w-0 flex-col gap-3">
      <h2 id="new-selectors" className="text-section">
        {text('policies.new.selectors')}
      </h2>
      <p className="text-ink-2">{text('policies.new.selectorsHint')}</p>
      <ol className="flex flex-col gap-3">
        {selectors.map((selector, at) => (
          // Rows have no identity but their place; the fields follow the document.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className="flex flex-wrap items-end gap-x-3 gap-y-2 border-t border-line pt-2">
            <SelectorRow
              selector={selector}
              isWide={draft.good.manifest.metadata.namespace === undefined}
              onEdit={(next) => put(withSelector(selectors, at, next))}
            />
            {selectors.length > 1 && (
              <Button
                aria-label={text('policies.new.removeSelector', { selector: kindText(selector), at: at + 1 })}
                onClick={() => put(withoutSelector(selectors, at))}
              >
                {text('policies.new.remove')}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p>
        <Button onClick={() => put(withNewSelector(selectors))}>{text('policies.new.addSelector')}</Button>
      </p>
    </section>
  )
}

interface SelectorRowProps {
  selector: ResourceSelector
  /** The policy is for all namespaces, so that the selector may name one. */
  isWide: boolean
  onEdit: (selector: ResourceSelector) => void
}

function SelectorRow({ selector, isWide, onEdit }: SelectorRowProps) {
  const text = useText()
  const field = (name: SelectorField) => ({
    label: text(`policies.new.selector.${name}`),
    read: (typed: string): FieldEdit | undefined => {
      const value = editSelector(selector, name, typed)
      return value && { path: [], value }
    },
    onEdit: ({ value }: FieldEdit) => onEdit(value as ResourceSelector),
  })
  return (
    <>
      <TypedField
        {...field('kind')}
        value={kindText(selector)}
        error={text('policies.new.selector.kindInvalid')}
        suggestions={KINDS}
      />
      <TypedField {...field('name')} value={selector.name ?? ''} placeholder={text('policies.new.selector.any')} />
      {isWide && (
        <TypedField
          {...field('namespace')}
          value={selector.namespace ?? ''}
          placeholder={text('policies.new.selector.any')}
        />
      )}
      <TypedField
        {...field('labels')}
        value={selectedLabels(selector)}
        error={text('policies.form.labelsInvalid')}
        placeholder={text('policies.new.selector.any')}
      />
    </>
  )
}
