'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PodDetailView } from '@/lib/view/member-model'
import { read } from '../hooks/actions'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { Conditions } from '../status/conditions'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { SkeletonRows } from '../ui/skeleton'
import { Td, Th } from '../ui/table'
import type { TabItem } from '../ui/tabs'
import { KeyedTabs } from './keyed-tabs'
import { eventsTab } from './events-tab'
import { LogView } from './log-view'
import { stateOfMark } from './pod-words'
import { Problem } from './problem'
import { YamlView } from './yaml-view'

const REFRESH_MS = 3000

export interface PodAddress {
  cluster: string
  namespace: string
  name: string
}

interface PodPanelProps extends PodAddress {
  tab: string | undefined
  onTab: (tab: string) => void
}

/** One pod: what it does, its log, its events and its object, read in its cluster as the user. */
export function PodPanel({ cluster, namespace, name, tab, onTab }: PodPanelProps) {
  const text = useText()
  const { data, error } = useQuery({
    queryKey: ['pod', cluster, namespace, name],
    queryFn: ({ signal }) =>
      read<PodDetailView>(
        `/api/v1/clusters/${[cluster, 'pods', namespace, name].map(encodeURIComponent).join('/')}`,
        signal,
      ),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (!data) {
    return error ? <Problem>{error.message}</Problem> : <SkeletonRows label={text('pods.loading')} />
  }
  const items = itemsOf(text, cluster, data)
  const value = items.some((item) => item.value === tab) ? (tab ?? '') : 'summary'
  return (
    <>
      {error && <Problem>{text('pods.last', { why: error.message })}</Problem>}
      <KeyedTabs label={text('pods.tabs')} items={items} value={value} onChange={onTab} />
    </>
  )
}

function itemsOf(text: ReturnType<typeof useText>, cluster: string, detail: PodDetailView): TabItem[] {
  const { pod } = detail
  return [
    { value: 'summary', label: text('pods.tab.summary'), content: <Summary cluster={cluster} detail={detail} /> },
    { value: 'logs', label: text('pods.tab.logs'), content: <LogView key={pod.uid} cluster={cluster} pod={pod} /> },
    eventsTab(text, detail),
    {
      value: 'yaml',
      label: text('pods.tab.yaml'),
      content: <YamlView object={detail.object} label={text('pods.object', { name: pod.name })} />,
    },
  ]
}

function Summary({ cluster, detail: { pod, conditions } }: { cluster: string; detail: PodDetailView }) {
  const text = useText()
  const ready = pod.containers.filter((one) => one.ready).length
  const facts: [string, ReactNode][] = [
    [text('pods.cluster'), cluster],
    [text('pods.node'), pod.node ?? text('pods.noNode')],
    [text('pods.address'), pod.ip ?? text('pods.none')],
    [text('pods.restarts'), pod.restarts],
    [text('pods.age'), <Ago key="age" time={pod.createdAt} />],
  ]
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-x-2">
        <StateMark state={stateOfMark(pod.mark)} word={pod.status} className="font-medium" />
        <span className="text-ink-2">{text('pods.containersReady', { ready, all: pod.containers.length })}</span>
        {pod.message !== undefined && <span className="min-w-0 break-words">{pod.message}</span>}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-2">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <Containers pod={pod} />
      <Conditions conditions={conditions} />
    </div>
  )
}

function Containers({ pod }: { pod: PodDetailView['pod'] }) {
  const text = useText()
  return (
    <InsetTable aria-label={text('pods.containers')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('logs.container')}</Th>
          <Th>{text('pods.status')}</Th>
          <Th>{text('pods.image')}</Th>
          <Th figure>{text('pods.restarts')}</Th>
        </tr>
      </thead>
      <tbody>
        {pod.containers.map((one) => (
          <tr key={`${one.init} ${one.name}`}>
            <Td className="pl-0 font-medium">{one.name}</Td>
            <Td>{one.status}</Td>
            <Td className="break-all text-ink-2">{one.image}</Td>
            <Td figure>{one.restarts}</Td>
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}
