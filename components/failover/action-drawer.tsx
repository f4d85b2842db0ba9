'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { Suspense, useMemo } from 'react'
import type { Text } from '@/lib/messages'
import type { FailoverOrder } from '@/lib/view/actions'
import { failoverNeeds } from '@/lib/view/needs'
import type { FailoverPlanView } from '@/lib/view/failover-model'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { useMay } from '../hooks/use-can'
import { useCollection } from '../hooks/use-collection'
import { AreaTexts, wantTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
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
import { orderOf, PURGE_MODES, type PurgeMode } from './orders'
import { useFailoverPlan } from './use-failover-plan'

// Beside the code: the drawer must open while the server is unreachable.
wantTexts('plan')

/** The plan of an action, open while the address names one. */
export function FailoverActionDrawer() {
  const { get } = useUrlState()
  const [action, cluster, workload, purge] = [get('action'), get('in'), get('of'), get('purge')]
  const order = useMemo(() => orderOf({ action, cluster, workload, purge }), [action, cluster, workload, purge])
  return (
    order && (
      <Suspense fallback={null}>
        <AreaTexts area="plan">
          <ActionPlan order={order} />
        </AreaTexts>
      </Suspense>
    )
  )
}

const CLOSED = { action: undefined, in: undefined, of: undefined, purge: undefined }

function ActionPlan({ order }: { order: FailoverOrder }) {
  const text = useText()
  const words = text(`failover.order.${order.action}`)
  const { navigate } = useUrlState()
  const announce = useAnnounce()
  const noteOf = useNoteAsked(order)
  const close = () => navigate(CLOSED)
  const { plan, isRenewed, error, ask, asking } = useFailoverPlan(order, () => {
    noteOf(words)
    announce(text('common.requested', { action: words }))
    close()
  })
  const right = useMay(failoverNeeds(order, plan?.object.name))
  const losses = plan?.losses ?? []
  const { isOpen, confirm } = useConfirmation(losses)
  return (
    <Drawer
      open
      onClose={close}
      title={titleOf(text, order)}
      description={text('failover.previewOnly')}
      footer={
        <div className="flex grow justify-end gap-2">
          <Button onClick={close}>{text('failover.cancel')}</Button>
          <GuardedButton
            right={right}
            variant="primary"
            disabled={plan === undefined || asking || isOpen}
            onClick={ask}
          >
            {asking ? text('failover.requesting') : lossButton(text, order.action, words, losses)}
          </GuardedButton>
        </div>
      }
    >
      {order.action === 'evict' && <PurgeChoice value={order.purgeMode} />}
      {isRenewed && <Notice state="warn">{text('failover.planRenewed')}</Notice>}
      {error !== null && (
        <p role="alert" className="flex items-center gap-2 py-2">
          <StateGlyph state="fail" />
          {error.message}
        </p>
      )}
      {plan === undefined && error === null && <p className="text-ink-2">{text('failover.planning')}</p>}
      {plan && <PlanBody plan={plan} />}
      <Losses losses={losses} confirmed={!isOpen} onConfirm={confirm} />
    </Drawer>
  )
}

function titleOf(text: Text, order: FailoverOrder): string {
  const { cluster } = order
  const ref = 'workload' in order ? parseWorkloadId(order.workload) : undefined
  const action = text(`failover.order.${order.action}`)
  return ref
    ? text('failover.actionOnWorkload', { action, workload: nameOf(ref), cluster })
    : text('failover.actionOnCluster', { action, cluster })
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
  const text = useText()
  const { tweak } = useUrlState()
  const options = PURGE_MODES.map((mode) => ({ value: mode, label: text(`failover.purge.${mode}`) }))
  return (
    <Choice label={text('failover.purge')} value={value} options={options} onChange={(purge) => tweak({ purge })} />
  )
}

function PlanBody({ plan }: { plan: FailoverPlanView }) {
  const text = useText()
  return (
    <div className="mt-3 flex flex-col gap-3" data-testid="failover-plan" data-action={plan.action}>
      <ul className="list-disc pl-4">
        {plan.effects.map((effect) => (
          <li key={effect.code}>{text.of(effect)}</li>
        ))}
      </ul>
      {plan.warnings.map((warning) => (
        <p key={text.of(warning)} className="flex items-center gap-2" data-testid="plan-warning">
          <StateGlyph state="warn" />
          {text.of(warning)}
        </p>
      ))}
      {plan.before && (
        <div>
          <h3 className="text-section">{text('failover.distribution')}</h3>
          <Places before={plan.before} after={plan.after} />
        </div>
      )}
      <Disclosure summary={text('failover.patchOf', { kind: plan.object.kind, name: plan.object.name })}>
        <Manifest value={plan.patch} label={text('failover.patch')} />
      </Disclosure>
      <Disclosure summary={text('failover.withKubectl')}>
        <KubectlBlock label={text('failover.command')} text={plan.kubectl} />
      </Disclosure>
    </div>
  )
}
