'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { useRouter } from 'next/navigation'
import { Suspense, useMemo, useState } from 'react'
import { type Message, message, type Text } from '@/lib/messages'
import type { WorkloadRef } from '@/lib/view/model'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { usePlansServed, useRebalancesServed } from '../hooks/use-about'
import { type Right } from '../hooks/use-can'
import { useRebalanceRights } from '../hooks/use-rebalance-rights'
import { useSelection } from '../hooks/use-selection'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { AreaTexts, wantTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
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
import { LeftOutNotice } from './left-out-notice'
import { readLeftOut, withoutLeftOut, writeLeftOut } from './left-out'
import { lossButton, lossesOfRebalance } from './loss-words'
import { Losses } from './losses'
import { readRollout, writeRollout } from './rollout'
import { Disclosure, Manifest } from './manifest'
import { RolloutForm, WayChoice } from './rollout-form'
import { PlanAge, PlanTotals } from './plan-summary'
import { PlanFlowSection } from './plan-flow'
import { PlanTargets } from './plan-targets'
import { partsOf, SplitOffer } from './split'
import { SpreadWarnings } from './spread-warnings'
import { useConfirmation } from './use-confirmation'
import { useRebalancePlan } from './use-rebalance-plan'

// Beside the code: the drawer must open while the server is unreachable.
wantTexts('plan')

/**
 * The preview of a rebalance of the selected workloads, open while the address has `?plan=rebalance`: what moves where
 * and why, the object that applying creates, and the button that creates it. `in=` holds the options of a rebalance in
 * waves; `in=once` moves everything at once.
 */
export function PlanDrawer() {
  const { get } = useUrlState()
  const [selected] = useSelection()
  // Each opening is a new component, so that it computes a new plan.
  return get('plan') === 'rebalance' ? (
    <Suspense fallback={null}>
      <AreaTexts area="plan">
        <OpenPlan key={[...selected].join()} selected={selected} />
      </AreaTexts>
    </Suspense>
  ) : null
}

function OpenPlan({ selected }: { selected: ReadonlySet<string> }) {
  const text = useText()
  const { inWaves } = useRollout()
  const [all] = useState(() => [...selected].flatMap((id) => parseWorkloadId(id) ?? []))
  const parts = useMemo(() => partsOf(all, inWaves), [all, inWaves])
  const [part, setPart] = useState<number>()
  const router = useRouter()
  const { navigate } = useUrlState()
  const index = parts.length === 1 ? 0 : part
  const targets = index === undefined ? undefined : parts[index]
  if (index === undefined || targets === undefined) {
    return (
      <Drawer
        open
        onClose={() => navigate({ plan: undefined, in: undefined, out: undefined })}
        wide
        title={text('plan.drawer.title', { n: all.length })}
      >
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
      part={parts.length === 1 ? undefined : { part: next, parts: parts.length }}
      onCreated={(address) => {
        if (next < parts.length) setPart(next)
        else router.push(parts.length === 1 ? address : '/rebalancers')
      }}
    />
  )
}

interface PartProps {
  targets: readonly WorkloadRef[]
  /** Which of several plans it is. */
  part: { part: number; parts: number } | undefined
  onCreated: (address: string) => void
}

function PlanOfPart({ targets, part, onCreated }: PartProps) {
  const text = useText()
  const { navigate } = useUrlState()
  const { inWaves, rollout } = useRollout()
  const rights = useRebalanceRights()
  const announce = useAnnounce()
  const left = useLeftOut(targets)
  const planning = useRebalancePlan({
    targets: left.remaining,
    rollout: inWaves ? rollout : undefined,
    onCreated: (name, plan) => {
      announce(
        text(inWaves ? 'plan.drawer.planCreated' : 'plan.drawer.rebalancerCreated', { name, n: plan.totals.targets }),
      )
      onCreated(inWaves ? href.planRun(name) : href.rebalancer(name))
    },
  })
  const close = () => navigate({ plan: undefined, in: undefined, out: undefined })
  const { plan } = planning
  const losing = useLosing(plan)
  return (
    <Drawer
      open
      onClose={close}
      wide
      title={titleOf(text, left.remaining, part)}
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
      {left.remaining.length > 0 && (
        // As high as what it holds: the options below keep their place when the preview arrives.
        <div className="min-h-26">{plan && <PlanTotals plan={plan} />}</div>
      )}
      <Way />
      {plan && <Losses losses={losing.losses} confirmed={!losing.isOpen} onConfirm={losing.confirm} />}
      <LeftOutNotice ids={left.out} onPutBack={left.putBack} />
      <PlanBody planning={planning} left={left} empty={targets.length === 0} />
    </Drawer>
  )
}

function titleOf(text: Text, targets: readonly WorkloadRef[], part: PartProps['part']): string {
  if (part) return text('plan.drawer.partTitle', { n: targets.length, ...part })
  const [only] = targets
  return targets.length === 1 && only
    ? text('plan.drawer.titleOne', { workload: only.name })
    : text('plan.drawer.title', { n: targets.length })
}

/** The targets without those that the reader left out. */
function useLeftOut(targets: readonly WorkloadRef[]) {
  const { get, tweak } = useUrlState()
  const value = get('out')
  const { remaining, out } = useMemo(() => withoutLeftOut(targets, readLeftOut(value)), [targets, value])
  return {
    remaining,
    out,
    leaveOut: (id: string) => tweak({ out: writeLeftOut([...out, id]) }),
    /** One of them; without an id, all. */
    putBack: (id?: string) => tweak({ out: writeLeftOut(id === undefined ? [] : out.filter((each) => each !== id)) }),
  }
}

type Losing = ReturnType<typeof useLosing>

/** The workloads that the rebalance stops, and whether that is still to be confirmed. */
function useLosing(plan: RebalancePlanView | undefined) {
  const losses = useMemo(() => (plan ? lossesOfRebalance(plan) : []), [plan])
  return { losses, ...useConfirmation(losses) }
}

/** The options of the rebalance, from the address. */
function useRollout() {
  const { get } = useUrlState()
  const served = usePlansServed()
  const text = get('in')
  const rollout = useMemo(() => readRollout(text), [text])
  return { served, rollout, inWaves: served && text !== 'once' }
}

function Way() {
  const text = useText()
  const { tweak } = useUrlState()
  const { served, rollout, inWaves } = useRollout()
  if (!useRebalancesServed()) return <p className="mb-3">{text('access.rebalancesNotServed')}</p>
  if (!served) return <p className="mb-3 text-ink-2">{text('plan.drawer.atOnceOnly')}</p>
  return (
    <div className="mb-4">
      <WayChoice inWaves={inWaves} onChange={(next) => tweak({ in: next ? undefined : 'once' })} />
      {inWaves && <RolloutForm rollout={rollout} onChange={(next) => tweak({ in: writeRollout(next) })} />}
    </div>
  )
}

type Planning = ReturnType<typeof useRebalancePlan>

interface PlanBodyProps {
  planning: Planning
  left: ReturnType<typeof useLeftOut>
  empty: boolean
}

function PlanBody({ planning, left, empty }: PlanBodyProps) {
  const text = useText()
  const { plan, changes, error, computing } = planning
  if (empty) return <p>{text('plan.drawer.nothingSelected')}</p>
  if (left.remaining.length === 0) return <p>{text('plan.drawer.allLeftOut')}</p>
  return (
    <div data-testid="plan" data-base={plan?.base} aria-busy={computing}>
      {error && <PlanError error={error} onRetry={planning.recompute} />}
      {changes && <PlanChanges changes={changes} />}
      {plan === undefined && !error && <SkeletonRows label={text('plan.drawer.loading')} rows={6} />}
      {plan && <PlanContent plan={plan} onLeaveOut={left.leaveOut} />}
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

/** The fleet changed since the preview: nothing was applied, and these are the differences. */
function PlanChanges({ changes }: { changes: readonly Message[] }) {
  const text = useText()
  return (
    <div className="-mx-6 -mt-4 mb-4" data-testid="plan-outdated">
      <Notice state="warn" role="alert">
        <p className="font-medium">{text('plan.drawer.outdated')}</p>
        <ul className="list-disc pl-4">
          {changes.map(text.of).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {changes.length === 0 && <li>{text('plan.drawer.sameOutcome')}</li>}
        </ul>
      </Notice>
    </div>
  )
}

const HIDDEN_LOAD = { refused: message('planPicture.load.hidden') }

function PlanContent({ plan, onLeaveOut }: { plan: RebalancePlanView; onLeaveOut: (workload: string) => void }) {
  const text = useText()
  const moving = useMemo(
    () => plan.targets.filter(({ verdict }) => verdict === 'moves').map((target) => ({ ...target, done: false })),
    [plan.targets],
  )
  const load = useMemo(() => (plan.load ? { view: plan.load } : HIDDEN_LOAD), [plan.load])
  return (
    <>
      <HeadroomWarnings headroom={plan.headroom} />
      <SpreadWarnings targets={plan.targets} />
      <PlanFlowSection targets={moving} started={false} load={load} onLeaveOut={onLeaveOut} />
      <PlanTargets targets={plan.targets} />
      <Disclosure summary={text('plan.drawer.object', { kind: kindOf(plan) })}>
        <Manifest value={plan.manifest} label={text('plan.drawer.manifest')} />
      </Disclosure>
      <Disclosure summary={text('plan.drawer.withKubectl')}>
        <KubectlBlock text={plan.kubectl} label={text('plan.drawer.kubectl')} />
      </Disclosure>
    </>
  )
}

function kindOf({ manifest }: RebalancePlanView): string {
  return (manifest as { kind?: string }).kind ?? 'object'
}

/** Seconds after which the finished object is deleted; undefined keeps it. */
const TTLS: readonly (number | undefined)[] = [undefined, 3600, 86_400]

interface FooterProps {
  planning: Planning
  right: Right
  onCancel: () => void
  losing: Losing
}

function PlanFooter({ planning, right, onCancel, losing }: FooterProps) {
  const text = useText()
  const [ttl, setTtl] = useState(TTLS[0])
  const [name, setName] = useState('')
  const problem = name === '' ? undefined : nameProblem(name)
  const { plan } = planning
  // A plan in waves is decided again with each wave; a rebalancer triggers what moves now.
  const isIdle = plan !== undefined && plan.totals.moving === 0 && kindOf(plan) === 'WorkloadRebalancer'
  const canApply = !planning.applying && !planning.computing && !isIdle
  return (
    <div className="flex flex-wrap items-end gap-2">
      <NameField value={name} onChange={setName} />
      <select
        aria-label={text('plan.drawer.ttl')}
        value={TTLS.indexOf(ttl)}
        onChange={(event) => setTtl(TTLS[Number(event.target.value)])}
        className="h-7 rounded-control border border-line-strong bg-paper px-2"
      >
        {TTLS.map((seconds, index) => (
          <option key={seconds ?? 'keep'} value={index}>
            {seconds === undefined
              ? text('plan.drawer.keep')
              : text('plan.drawer.deleteAfter', { span: { ms: seconds * 1000 } })}
          </option>
        ))}
      </select>
      <span className="grow" />
      <Button onClick={onCancel}>{text('plan.drawer.cancel')}</Button>
      <GuardedButton
        right={right}
        variant="primary"
        disabled={!canApply || problem !== undefined || losing.isOpen}
        onClick={() => planning.apply({ ttl, name: name === '' ? undefined : name })}
        data-testid="apply-plan"
      >
        {planning.applying
          ? text('plan.drawer.applying')
          : lossButton(text, 'rebalance', text('plan.drawer.apply'), losing.losses)}
      </GuardedButton>
    </div>
  )
}
