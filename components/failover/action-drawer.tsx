'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { useMemo } from 'react'
import type { FailoverOrder } from '@/lib/view/actions'
import { failoverNeeds } from '@/lib/view/needs'
import type { FailoverPlanView } from '@/lib/view/failover-model'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { nameOf } from '../hooks/filter'
import { useMay } from '../hooks/use-can'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { Disclosure, Manifest } from '../plan/manifest'
import { Losses } from '../plan/losses'
import { lossButton } from '../plan/loss-words'
import { Places } from '../plan/places'
import { useConfirmation } from '../plan/use-confirmation'
import { useAnnounce } from '../shell/announcer'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { Choice } from '../ui/choice'
import { Drawer } from '../ui/drawer'
import { GuardedButton } from '../ui/guarded-button'
import { Notice } from '../ui/notice'
import { useAsked } from '../status/asked'
import { ACTION_WORDS, ORDER_WORDS } from './failover-words'
import { orderOf, PURGE_MODES, type PurgeMode } from './orders'
import { useFailoverPlan } from './use-failover-plan'

/** The plan of an action, open while the address names one. */
export function FailoverActionDrawer() {
  const { get } = useUrlState()
  const [action, cluster, workload, purge] = [get('action'), get('in'), get('of'), get('purge')]
  const order = useMemo(() => orderOf({ action, cluster, workload, purge }), [action, cluster, workload, purge])
  return order && <ActionPlan order={order} />
}

const CLOSED = { action: undefined, in: undefined, of: undefined, purge: undefined }

function ActionPlan({ order }: { order: FailoverOrder }) {
  const { navigate } = useUrlState()
  const announce = useAnnounce()
  const noteOf = useNoteAsked(order)
  const close = () => navigate(CLOSED)
  const { plan, isRenewed, error, ask, asking } = useFailoverPlan(order, () => {
    noteOf(ORDER_WORDS[order.action])
    announce(`${ORDER_WORDS[order.action]}: asked for.`)
    close()
  })
  const right = useMay(failoverNeeds(order, plan?.object.name))
  const losses = plan?.losses ?? []
  const { isOpen, confirm } = useConfirmation(losses)
  return (
    <Drawer
      open
      onClose={close}
      title={titleOf(order)}
      description="Nothing has been done yet. This is what would be asked for."
      footer={
        <div className="flex grow justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <GuardedButton right={right} variant="primary" disabled={plan === undefined || asking || isOpen} onClick={ask}>
            {asking ? 'Asking…' : lossButton(verbOf(order), ORDER_WORDS[order.action], losses)}
          </GuardedButton>
        </div>
      }
    >
      {order.action === 'evict' && <PurgeChoice value={order.purgeMode} />}
      {isRenewed && (
        <Notice state="warn">
          The object has changed since this plan was made. Below is what would be done now; confirm again.
        </Notice>
      )}
      {error !== null && (
        <p role="alert" className="flex items-center gap-2 py-2">
          <StateGlyph state="fail" />
          {error.message}
        </p>
      )}
      {plan === undefined && error === null && <p className="text-ink-2">Working it out…</p>}
      {plan && <PlanBody plan={plan} />}
      <Losses losses={losses} confirmed={!isOpen} onConfirm={confirm} />
    </Drawer>
  )
}

const verbOf = ({ action }: FailoverOrder): string => ORDER_WORDS[action].split(' ', 1)[0] ?? ''

function titleOf(order: FailoverOrder): string {
  const ref = 'workload' in order ? parseWorkloadId(order.workload) : undefined
  const words = ACTION_WORDS[order.action].replace('…', '')
  return ref ? `${words}: ${nameOf(ref)} in ${order.cluster}` : `${words}: ${order.cluster}`
}

/** The failover as it is while the plan is open: when it is another, the order shows. */
function useNoteAsked(order: FailoverOrder): (words: string) => void {
  const { byId } = useCollection('failover')
  const { note } = useAsked()
  const entry = byId.get('workload' in order ? order.workload : `cluster ${order.cluster}`)
  const failover = entry?.failovers.find(({ cluster }) => cluster === order.cluster)
  return (words) => failover && note(failover.id, words, failover)
}

function PurgeChoice({ value }: { value: PurgeMode }) {
  const { tweak } = useUrlState()
  return <Choice label="The old copy goes" value={value} options={PURGE_MODES} onChange={(purge) => tweak({ purge })} />
}

function PlanBody({ plan }: { plan: FailoverPlanView }) {
  return (
    <div className="mt-3 flex flex-col gap-3" data-testid="failover-plan" data-action={plan.action}>
      <ul className="list-disc pl-4">
        {plan.effects.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {plan.warnings.map((sentence) => (
        <p key={sentence} className="flex items-center gap-2" data-testid="plan-warning">
          <StateGlyph state="warn" />
          {sentence}
        </p>
      ))}
      {plan.before && (
        <div>
          <h3 className="text-section">Distribution, as far as can be said now</h3>
          <Places before={plan.before} after={plan.after} />
        </div>
      )}
      <Disclosure summary={`The exact patch of ${plan.object.kind} ${plan.object.name}`}>
        <Manifest value={plan.patch} label="the patch" />
      </Disclosure>
      <Disclosure summary="The same with kubectl">
        <KubectlBlock label="the command" text={plan.kubectl} />
      </Disclosure>
    </div>
  )
}

