'use client'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { WhatIfView } from '@/lib/view/rebalance-model'
import { nameOf, nameOfId } from '@/lib/view/workload-id'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { Choice } from '../ui/choice'
import { PolicyFields } from './policy-fields'
import { type EditedPolicy, type Premise, withAmount, writeAdded, writeAmounts, writePolicies } from './premise'

const PERCENTS = ['0', '25', '50', '75', '150', '200'] as const
const DEFAULT_PERCENT = '50'
/** Workloads to choose from: those that the failure affects most. */
const MAX_WORKLOADS = 200

interface PremiseFormProps {
  premise: Premise
  clusters: readonly string[]
  targets: WhatIfView['targets']
}

/** What is different before the failure: capacities, new clusters, policies, and replicas of workloads. */
export function PremiseForm({ premise, clusters, targets }: PremiseFormProps) {
  const { capacity, replicas, added, policies } = premise
  const text = useText()
  const { tweak } = useUrlState()
  const setCapacity = (name: string, percent: number | undefined) =>
    tweak({ capacity: writeAmounts(withAmount(capacity, name, percent)) })
  const setReplicas = (id: string, wanted: number | undefined) =>
    tweak({ replicas: writeAmounts(withAmount(replicas, id, wanted)) })
  const setAdded = (next: Premise['added']) => tweak({ added: writeAdded(next) })
  const setPolicies = (next: Premise['policies']) => tweak({ policies: writePolicies(next) })
  return (
    <fieldset
      aria-label={text('whatIf.premise')}
      className="flex min-w-0 flex-wrap items-end gap-4"
      data-testid="premise"
    >
      <p aria-hidden="true" className="-mb-3 w-full font-medium">
        {text('whatIf.premise')}
      </p>
      <CapacityFields clusters={clusters} onSet={setCapacity} />
      <ReplicasFields targets={targets} onSet={setReplicas} />
      <NewClusterFields clusters={clusters} onAdd={(name, like) => setAdded(new Map(added).set(name, like))} />
      <PolicyFields
        clusters={[...clusters, ...added.keys()]}
        onEdit={(edited) => setPolicies([...policies.filter(isOther(edited)), edited])}
      />
      {[...added].map(([cluster, like]) => (
        <Chip
          key={`added ${cluster}`}
          label={text('whatIf.premise.added', { cluster, like })}
          onRemove={() => setAdded(new Map([...added].filter(([name]) => name !== cluster)))}
        />
      ))}
      {policies.map((one) => (
        <Chip
          key={`policy ${writePolicies([one])}`}
          label={'edit' in one ? text('whatIf.premise.edited', one) : text('whatIf.premise.placed', one)}
          onRemove={() => setPolicies(policies.filter((other) => other !== one))}
        />
      ))}
      {[...capacity].map(([cluster, percent]) => (
        <Chip
          key={`capacity ${cluster}`}
          label={text('whatIf.premise.capacity', { cluster, share: { share: percent / 100 } })}
          onRemove={() => setCapacity(cluster, undefined)}
        />
      ))}
      {[...replicas].map(([id, n]) => (
        <Chip
          key={`replicas ${id}`}
          label={text('whatIf.premise.replicas', { workload: nameOfId(id), n })}
          onRemove={() => setReplicas(id, undefined)}
        />
      ))}
    </fieldset>
  )
}

/** A whole placement takes the place of the earlier edits of its policy. */
const isOther =
  (edited: EditedPolicy) =>
  ({ policy }: EditedPolicy): boolean =>
    'edit' in edited || policy !== edited.policy

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  const text = useText()
  return (
    <Button
      aria-label={text('whatIf.premise.remove', { what: label })}
      data-testid="premise-chip"
      className="max-w-80"
      onClick={onRemove}
    >
      <span className="truncate">{label}</span>
      <X size={14} aria-hidden="true" />
    </Button>
  )
}

interface CapacityFieldsProps {
  clusters: readonly string[]
  onSet: (cluster: string, percent: number) => void
}

function CapacityFields({ clusters, onSet }: CapacityFieldsProps) {
  const text = useText()
  const [percent, setPercent] = useState<string>(DEFAULT_PERCENT)
  return (
    <div className="flex max-w-full min-w-0 flex-wrap items-end gap-1">
      <Choice
        label={text('whatIf.premise.share')}
        value={percent}
        onChange={setPercent}
        options={PERCENTS.map((value) => ({ value, label: text.format.share(Number(value) / 100) }))}
      />
      <Choice
        label={text('whatIf.premise.ofCluster')}
        value=""
        onChange={(cluster) => cluster !== '' && onSet(cluster, Number(percent))}
        options={[
          { value: '', label: text('whatIf.premise.chooseCluster') },
          ...clusters.map((value) => ({ value, label: value })),
        ]}
      />
    </div>
  )
}

interface ReplicasFieldsProps {
  targets: WhatIfView['targets']
  onSet: (workload: string, replicas: number) => void
}

function ReplicasFields({ targets, onSet }: ReplicasFieldsProps) {
  const text = useText()
  const [workload, setWorkload] = useState('')
  const [wanted, setWanted] = useState('')
  const scalable = targets.filter(({ before }) => before.some(({ replicas }) => replicas > 0)).slice(0, MAX_WORKLOADS)
  const n = Number(wanted)
  const isGood = workload !== '' && /^\d{1,5}$/.test(wanted)
  return (
    <form
      className="flex max-w-full min-w-0 flex-wrap items-end gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (isGood) onSet(workload, n)
      }}
    >
      <Choice
        label={text('whatIf.premise.replicasOf')}
        value={workload}
        onChange={setWorkload}
        options={[
          { value: '', label: text('whatIf.premise.chooseWorkload') },
          ...scalable.map(({ id, ref }) => ({ value: id, label: nameOf(ref) })),
        ]}
      />
      <label className="flex flex-col gap-0.5 text-label text-ink-2">
        {text('whatIf.premise.wanted')}
        <input
          inputMode="numeric"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className="h-7 w-20 rounded-control border border-line-strong bg-paper px-2 text-body text-ink"
        />
      </label>
      <Button type="submit" disabled={!isGood}>
        {text('whatIf.premise.apply')}
      </Button>
    </form>
  )
}

interface NewClusterFieldsProps {
  clusters: readonly string[]
  onAdd: (name: string, like: string) => void
}

const CLUSTER_NAME = /^[a-z0-9]([-a-z0-9]{0,46}[a-z0-9])?$/

function NewClusterFields({ clusters, onAdd }: NewClusterFieldsProps) {
  const text = useText()
  const [name, setName] = useState('')
  const [like, setLike] = useState(clusters[0] ?? '')
  const isGood = CLUSTER_NAME.test(name) && !clusters.includes(name)
  return (
    <form
      className="flex max-w-full min-w-0 flex-wrap items-end gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (isGood) onAdd(name, like)
        if (isGood) setName('')
      }}
    >
      <label className="flex flex-col gap-0.5 text-label text-ink-2">
        {text('whatIf.premise.newCluster')}
        <input
          value={name}
          onChange={(event) => setName(event.target.value)}
          className="h-7 w-32 rounded-control border border-line-strong bg-paper px-2 text-body text-ink"
        />
      </label>
      <Choice
        label={text('whatIf.premise.like')}
        value={like}
        onChange={setLike}
        options={clusters.map((value) => ({ value, label: value }))}
      />
      <Button type="submit" disabled={!isGood}>
        {text('whatIf.premise.add')}
      </Button>
    </form>
  )
}
