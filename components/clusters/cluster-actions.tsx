'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { TaintBody } from '@/lib/view/actions'
import type { ClusterView } from '@/lib/view/model'
import { failoverNeeds, simulateNeeds } from '@/lib/view/needs'
import { DRAIN_TAINT } from '@/lib/view/project/drain'
import { simulateMember, taintCluster } from '../hooks/actions'
import { href } from '../hooks/url-state'
import { useClusterFailover } from '../hooks/use-about'
import { useMay, useRightsAgain } from '../hooks/use-can'
import { useText } from '../messages/use-text'
import { useAsked } from '../status/asked'
import { KubectlBlock } from '../status/kubectl-block'
import { ActionError } from '../ui/action-error'
import { Choice } from '../ui/choice'
import { Drawer } from '../ui/drawer'
import { TextField } from '../ui/field'
import { GuardedButton, GuardedLink } from '../ui/guarded-button'
import { taintText } from './cluster-words'

/** The taint of `karmadactl cordon`. */
const CORDON = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' } as const

/** Cordon, taint and drain; the last with its preview. */
export function ClusterActions({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const { name, taints } = cluster
  const { note } = useAsked()
  const [isTainting, setIsTainting] = useState(false)
  const right = useMay(failoverNeeds({ action: 'drain', cluster: name }))
  const rightsAgain = useRightsAgain()
  const act = useMutation({ mutationFn: (body: TaintBody) => taintCluster(name, body), onError: rightsAgain })
  const isCordoned = taints.some(({ key, effect }) => key === CORDON.key && effect === CORDON.effect)
  const cordonWords = text(isCordoned ? 'clusterPage.uncordon' : 'clusterPage.cordon')
  const action = taints.some(({ key }) => key === DRAIN_TAINT.key) ? 'undrain' : 'drain'
  return (
    <>
      <GuardedButton
        right={right}
        disabled={act.isPending}
        onClick={() =>
          act.mutate(
            { change: isCordoned ? 'remove' : 'add', taint: CORDON },
            { onSuccess: () => note(name, cordonWords, taints) },
          )
        }
      >
        {cordonWords}
      </GuardedButton>
      <GuardedButton right={right} onClick={() => setIsTainting(true)}>
        {text('clusterPage.taint')}
      </GuardedButton>
      <GuardedLink right={right} href={href.failover({ action, in: name })}>
        {text(`clusters.${action}`)}
      </GuardedLink>
      <ActionError error={act.error} />
      {isTainting && <TaintDrawer cluster={cluster} onClose={() => setIsTainting(false)} />}
    </>
  )
}

function TaintDrawer({ cluster, onClose }: { cluster: ClusterView; onClose: () => void }) {
  const text = useText()
  const [key, setKey] = useState('')
  const [value, setValue] = useState('')
  const failover = useClusterFailover()
  const [effect, setEffect] = useState<TaintBody['taint']['effect']>('NoSchedule')
  const right = useMay(failoverNeeds({ action: 'drain', cluster: cluster.name }))
  const { note } = useAsked()
  const act = useMutation({
    mutationFn: (body: TaintBody) => taintCluster(cluster.name, body),
    onSuccess: (_, { change }) =>
      note(cluster.name, text(change === 'add' ? 'clusterPage.addTaint' : 'clusterPage.removeTaint'), cluster.taints),
  })
  const taint = { key: key.trim(), effect, ...(value.trim() !== '' && { value: value.trim() }) }
  return (
    <Drawer
      open
      onClose={onClose}
      title={text('clusterPage.taintTitle', { cluster: cluster.name })}
      description={text('clusterPage.taintMeaning')}
    >
      <div className="flex flex-col gap-4">
        <ul className="flex flex-col gap-1" data-testid="taints">
          {cluster.taints.length === 0 && <li className="text-ink-2">{text('clusters.noTaints')}</li>}
          {cluster.taints.map((one) => (
            <li key={taintText(one)} className="flex items-center gap-3">
              <span className="mono min-w-0 grow break-all">{taintText(one)}</span>
              <GuardedButton
                small
                right={right}
                disabled={act.isPending}
                onClick={() => act.mutate({ change: 'remove', taint: one as TaintBody['taint'] })}
              >
                {text('clusterPage.removeTaint')}
              </GuardedButton>
            </li>
          ))}
        </ul>
        <TextField label={text('clusterPage.taintKey')} value={key} onChange={(event) => setKey(event.target.value)} />
        <TextField
          label={text('clusterPage.taintValue')}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <Choice
          label={text('clusterPage.taintEffect')}
          value={effect}
          options={(['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const).map((one) => ({
            value: one,
            label: one,
          }))}
          onChange={setEffect}
        />
        {effect === 'NoExecute' && (
          <p>{text(failover === 'disabled' ? 'clusterPage.noExecuteDisabled' : 'clusterPage.noExecute')}</p>
        )}
        <p>
          <GuardedButton
            variant="primary"
            right={right}
            disabled={act.isPending || taint.key === ''}
            onClick={() => act.mutate({ change: 'add', taint }, { onSuccess: () => setKey('') })}
          >
            {text('clusterPage.addTaint')}
          </GuardedButton>
        </p>
        <ActionError error={act.error} />
        {taint.key !== '' && <KubectlBlock label={text('clusterPage.taintKubectl')} text={kubectlOf(cluster, taint)} />}
      </div>
    </Drawer>
  )
}

/** The same patch with kubectl, which replaces the whole list. */
function kubectlOf({ name, taints }: ClusterView, taint: TaintBody['taint']): string {
  const others = taints.filter(({ key, effect }) => key !== taint.key || effect !== taint.effect)
  return `kubectl patch cluster ${name} --type=merge -p '${JSON.stringify({ spec: { taints: [...others, taint] } })}'`
}

const MAX_NODES = 1000

/** Key of pending actions on the simulation of a cluster, separate from actions on its taints. */
export const simulationOf = (cluster: string): string => `simulation ${cluster}`

/** What only a simulated member offers, and marked as that. */
export function SimulationBar({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const { name, ready, nodes } = cluster
  const [count, setCount] = useState('')
  const right = useMay(simulateNeeds(name))
  const router = useRouter()
  const { note } = useAsked()
  const act = useMutation({
    mutationFn: (body: Parameters<typeof simulateMember>[1]) => simulateMember(name, body),
    onSuccess: (_, body) => {
      if ('state' in body) note(simulationOf(name), text(`clusters.simulate.${body.state}`), ready)
    },
  })
  const wanted = /^\d{1,4}$/.test(count) ? Number(count) : undefined
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-b border-dashed border-line-strong bg-sunken px-6 py-1.5"
      data-testid="simulation"
    >
      <span className="mr-2 flex h-7 items-center font-medium">{text('clusterPage.simulation')}</span>
      <GuardedButton
        right={right}
        disabled={act.isPending}
        onClick={() => act.mutate({ state: ready === 'True' ? 'down' : 'up' })}
      >
        {text(ready === 'True' ? 'clusters.simulate.down' : 'clusters.simulate.up')}
      </GuardedButton>
      <form
        className="ml-2 flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted !== undefined) act.mutate({ nodes: wanted }, { onSuccess: () => setCount('') })
        }}
      >
        <TextField
          beside
          size={5}
          label={text('clusterPage.resizeTo')}
          value={count}
          inputMode="numeric"
          placeholder={String(nodes?.total ?? '')}
          onChange={(event) => setCount(event.target.value)}
        />
        <GuardedButton
          right={right}
          type="submit"
          disabled={act.isPending || wanted === undefined || wanted > MAX_NODES}
        >
          {text('clusterPage.resize')}
        </GuardedButton>
      </form>
      <GuardedButton right={{ allowed: true }} variant="quiet" onClick={() => router.push(href.cluster(name))}>
        {text('clusterPage.simulationKubectl')}
      </GuardedButton>
      <ActionError error={act.error} />
    </div>
  )
}
