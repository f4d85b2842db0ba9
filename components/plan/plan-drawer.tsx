'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { useRouter } from 'next/navigation'
import { useMemo, useState } from 'react'
import { formatNumberOf } from '@/lib/format'
import type { WorkloadRef } from '@/lib/view/model'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { usePlansServed } from '../hooks/use-about'
import { type Right } from '../hooks/use-can'
import { useRebalanceRights } from '../hooks/use-rebalance-rights'
import { useSelection } from '../hooks/use-selection'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useAnnounce } from '../shell/announcer'
import { Button } from '../ui/button'
import { Drawer } from '../ui/drawer'
import { GuardedButton } from '../ui/guarded-button'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { nameProblem } from '@/lib/view/object-name'
import { NameField } from './name-field'
import { RetryButton } from '../ui/retry-button'
import { HeadroomWarnings } from './headroom'
import { lossButton, lossesOfRebalance } from './loss-words'
import { Losses } from './losses'
import { readManner, writeManner } from './manner'
import { Disclosure, Manifest } from './manifest'
import { MannerForm, WayChoice } from './plan-manner'
import { PlanAge, PlanTotals } from './plan-summary'
import { PlanTargets } from './plan-targets'
import { partsOf, SplitOffer } from './split'
import { SpreadWarnings } from './spread-warnings'
import { useConfirmation } from './use-confirmation'
import { useRebalancePlan } from './use-rebalance-plan'

/**
 * The plan of a rebalance of the selected workloads, open while the address says `?plan=rebalance`: what moves where and
 * why, the exact object that applying creates, and the button that creates it. `in=` keeps the manner of a run in
 * waves, `in=once` asks for everything at once.
 */
export function PlanDrawer() {
  const { get } = useUrlState()
  const [selected] = useSelection()
  // Each opening is a new component, so that it computes a new plan.
  return get('plan') === 'rebalance' ? <OpenPlan key={[...selected].join()} selected={selected} /> : null
}

function OpenPlan({ selected }: { selected: ReadonlySet<string> }) {
  const { inWaves } = useManner()
  const [all] = useState(() => [...selected].flatMap((id) => parseWorkloadId(id) ?? []))
  const parts = useMemo(() => partsOf(all, inWaves), [all, inWaves])
  const [part, setPart] = useState<number>()
  const router = useRouter()
  const { navigate } = useUrlState()
  const index = parts.length === 1 ? 0 : part
  const targets = index === undefined ? undefined : parts[index]
  if (index === undefined || targets === undefined) {
    const title = `Plan: rebalance ${formatNumberOf(all.length, 'workload')}`
    return (
      <Drawer open onClose={() => navigate({ plan: undefined, in: undefined })} wide title={title}>
        <Way />
        <SplitOffer targets={all.length} parts={parts.length} inWaves={inWaves} onSplit={() => setPart(0)} />
      </Drawer>
    )
  }
  const next = index + 1
  return (
    <PlanOfPart
      key={`${inWaves} ${index}`}
      targets={targets}
      part={parts.length === 1 ? '' : ` (plan ${next} of ${parts.length})`}
      onCreated={(address) => {
        if (next < parts.length) setPart(next)
        else router.push(parts.length === 1 ? address : '/rebalancers')
      }}
    />
  )
}

interface PartProps {
  targets: readonly WorkloadRef[]
  /** Which of several plans, for the title. */
  part: string
  onCreated: (address: string) => void
}

function PlanOfPart({ targets, part, onCreated }: PartProps) {
  const { navigate } = useUrlState()
  const { inWaves, manner } = useManner()
  const rights = useRebalanceRights()
  const announce = useAnnounce()
  const planning = useRebalancePlan({
    targets,
    manner: inWaves ? manner : undefined,
    onCreated: (name, plan) => {
      announce(
        `${inWaves ? 'Plan' : 'Rebalancer'} ${name} created for ${formatNumberOf(plan.totals.targets, 'workload')}.`,
      )
      onCreated(inWaves ? href.planRun(name) : href.rebalancer(name))
    },
  })
  const close = () => navigate({ plan: undefined, in: undefined })
  const { plan } = planning
  const losing = useLosing(plan)
  return (
    <Drawer
      open
      onClose={close}
      wide
      title={`Plan: rebalance ${targets.length === 1 ? targets[0]?.name : formatNumberOf(targets.length, 'workload')}${part}`}
      description={plan && <PlanAge plan={plan} computing={planning.computing} onRecompute={planning.recompute} />}
      footer={
        plan && (
          <PlanFooter
            planning={planning}
            right={inWaves ? rights.inWaves : rights.atOnce}
            onCancel={close}
            losing={losing}
          />
        )
      }
    >
      <Way />
      {plan && <Losses losses={losing.losses} confirmed={!losing.isOpen} onConfirm={losing.confirm} />}
      <PlanBody planning={planning} empty={targets.length === 0} />
    </Drawer>
  )
}

type Losing = ReturnType<typeof useLosing>

/** What the plan costs workloads as a whole, and whether that is still to be confirmed. */
function useLosing(plan: RebalancePlanView | undefined) {
  const losses = useMemo(() => (plan ? lossesOfRebalance(plan) : []), [plan])
  return { losses, ...useConfirmation(losses) }
}

/** How to go about it, from the address. */
function useManner() {
  const { get } = useUrlState()
  const served = usePlansServed()
  const text = get('in')
  const manner = useMemo(() => readManner(text), [text])
  return { served, manner, inWaves: served && text !== 'once' }
}

function Way() {
  const { tweak } = useUrlState()
  const { served, manner, inWaves } = useManner()
  if (!served)
    return <p className="mb-3 text-ink-2">This control plane has no RebalancePlans, so everything moves at once.</p>
  return (
    <div className="mb-4">
      <WayChoice inWaves={inWaves} onChange={(next) => tweak({ in: next ? undefined : 'once' })} />
      {inWaves && <MannerForm manner={manner} onChange={(next) => tweak({ in: writeManner(next) })} />}
    </div>
  )
}

type Planning = ReturnType<typeof useRebalancePlan>

function PlanBody({ planning, empty }: { planning: Planning; empty: boolean }) {
  const { plan, changes, error, computing } = planning
  if (empty) return <p>Nothing is selected. Select workloads in Fleet first.</p>
  return (
    <div data-testid="plan" data-base={plan?.base} aria-busy={computing}>
      {error && <PlanError error={error} onRetry={planning.recompute} />}
      {changes && <PlanChanges changes={changes} />}
      {plan === undefined && !error && <SkeletonRows label="Computing the plan" rows={6} />}
      {plan && <PlanContent plan={plan} />}
    </div>
  )
}

function PlanError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className="-mx-6 -mt-4 mb-4">
      <Notice state="fail" role="alert" action={<RetryButton error={error} onRetry={onRetry} />}>
        {error.message}
      </Notice>
    </div>
  )
}

/** The world moved: nothing was applied, and this is what is different. */
function PlanChanges({ changes }: { changes: readonly string[] }) {
  return (
    <div className="-mx-6 -mt-4 mb-4" data-testid="plan-outdated">
      <Notice state="warn" role="alert">
        <p className="font-medium">
          The fleet changed while you looked. Nothing was applied; below is the plan as it would be now.
        </p>
        <ul className="list-disc pl-4">
          {changes.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {changes.length === 0 && <li>The outcome is the same; only the state it starts from is newer.</li>}
        </ul>
      </Notice>
    </div>
  )
}

function PlanContent({ plan }: { plan: RebalancePlanView }) {
  return (
    <>
      <PlanTotals plan={plan} />
      <HeadroomWarnings headroom={plan.headroom} />
      <SpreadWarnings targets={plan.targets} />
      <PlanTargets targets={plan.targets} />
      <Disclosure summary={`Exact object (1 ${kindOf(plan)} is created)`}>
        <Manifest value={plan.manifest} label="the manifest" />
      </Disclosure>
      <Disclosure summary="The same with kubectl">
        <KubectlBlock text={plan.kubectl} label="the kubectl command" />
      </Disclosure>
    </>
  )
}

function kindOf({ manifest }: RebalancePlanView): string {
  return (manifest as { kind?: string }).kind ?? 'object'
}

/** How long the record of a rebalance is kept after it finished; undefined keeps it. */
const KEEPING: readonly { label: string; ttl: number | undefined }[] = [
  { label: 'Keep the record', ttl: undefined },
  { label: 'Delete it 1 hour after the end', ttl: 3600 },
  { label: 'Delete it 1 day after the end', ttl: 86_400 },
]

interface FooterProps {
  planning: Planning
  right: Right
  onCancel: () => void
  losing: Losing
}

function PlanFooter({ planning, right, onCancel, losing }: FooterProps) {
  const [keeping, setKeeping] = useState(0)
  const [name, setName] = useState('')
  const problem = name === '' ? undefined : nameProblem(name)
  return (
    <div className="flex flex-wrap items-end gap-2">
      <NameField value={name} onChange={setName} />
      <select
        aria-label="What happens to the record"
        value={keeping}
        onChange={(event) => setKeeping(Number(event.target.value))}
        className="h-7 rounded-control border border-line-strong bg-paper px-2"
      >
        {KEEPING.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
      <span className="grow" />
      <Button onClick={onCancel}>Cancel</Button>
      <GuardedButton
        right={right}
        variant="primary"
        disabled={planning.applying || planning.computing || problem !== undefined || losing.isOpen}
        onClick={() => planning.apply({ ttl: KEEPING[keeping]?.ttl, name: name === '' ? undefined : name })}
        data-testid="apply-plan"
      >
        {planning.applying ? 'Applying…' : lossButton('Rebalance', 'Apply this plan', losing.losses)}
      </GuardedButton>
    </div>
  )
}
