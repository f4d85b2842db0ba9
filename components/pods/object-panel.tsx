'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ObjectView } from '@/lib/view/member-model'
import type { ConditionView } from '@/lib/view/model'
import { type ObjectAddress, objectPath } from '@/lib/view/object-address'
import { read } from '../hooks/actions'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { Conditions } from '../status/conditions'
import { KubectlBlock } from '../status/kubectl-block'
import { Button } from '../ui/button'
import { laterPart } from '../ui/later-part'
import { SkeletonRows } from '../ui/skeleton'
import type { TabItem } from '../ui/tabs'
import { eventsTab } from './events-tab'
import { KeyedTabs } from './keyed-tabs'
import { Problem } from './problem'
import { YamlView } from './yaml-view'

const REFRESH_MS = 5000

interface ObjectPanelProps {
  address: ObjectAddress
  /** Of the templates and policies, which people write. */
  isEditable: boolean
  tab: string | undefined
  onTab: (tab: string) => void
  /** Above the conditions. */
  children?: ReactNode
}

interface Shape {
  metadata?: { creationTimestamp?: string; generation?: number; resourceVersion?: string; uid?: string }
  status?: { conditions?: ConditionView[] }
}

/** Any object: what its status says, its events, and its YAML, read as the user. */
export function ObjectPanel({ address, isEditable, tab, onTab, children }: ObjectPanelProps) {
  const text = useText()
  const path = objectPath(address)
  const { data, error } = useQuery({
    queryKey: ['object', path],
    queryFn: ({ signal }) => read<ObjectView>(path, signal),
    refetchInterval: REFRESH_MS,
    retry: false,
  })
  if (!data) {
    if (!error) return <SkeletonRows label={text('objects.loading')} />
    return (
      <div className="flex flex-col gap-4">
        {children}
        <Problem>{error.message}</Problem>
      </div>
    )
  }
  const items = itemsOf(text, { address, isEditable, children, data })
  const value = items.some((item) => item.value === tab) ? (tab ?? '') : 'summary'
  return (
    <>
      {error && <Problem>{text('pods.last', { why: error.message })}</Problem>}
      <KeyedTabs label={text('objects.tabs')} items={items} value={value} onChange={onTab} />
    </>
  )
}

function itemsOf(
  text: ReturnType<typeof useText>,
  {
    address,
    isEditable,
    children,
    data,
  }: Pick<ObjectPanelProps, 'address' | 'isEditable' | 'children'> & { data: ObjectView },
): TabItem[] {
  const object = data.object as Shape
  const conditions = object.status?.conditions ?? []
  return [
    {
      value: 'summary',
      label: text('pods.tab.summary'),
      content: (
        <div className="flex flex-col gap-4">
          {children}
          <Facts object={object} />
          <Conditions conditions={conditions} />
        </div>
      ),
    },
    eventsTab(text, data),
    {
      value: 'yaml',
      label: text('pods.tab.yaml'),
      content: <Yaml address={address} object={data.object} isEditable={isEditable} />,
    },
  ]
}

const ObjectEditor = laterPart(() => import('./object-editor').then((code) => code.ObjectEditor))

function Yaml({ address, object, isEditable }: Pick<ObjectPanelProps, 'address' | 'isEditable'> & { object: unknown }) {
  const text = useText()
  /** The edited version; later updates do not change it. */
  const [edited, setEdited] = useState<unknown>()
  if (edited !== undefined)
    return <ObjectEditor address={address} object={edited} onClose={() => setEdited(undefined)} />
  return (
    <div className="flex flex-col gap-4">
      {isEditable && (
        <p>
          <Button onClick={() => setEdited(object)}>{text('edit.edit')}</Button>
        </p>
      )}
      <YamlView object={object} label={text('pods.object', { name: address.name })} />
      <KubectlBlock label={text('objects.kubectl')} text={kubectlOf(address)} />
    </div>
  )
}

function Facts({ object: { metadata } }: { object: Shape }) {
  const text = useText()
  const { creationTimestamp, generation, resourceVersion } = metadata ?? {}
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4">
      <dt className="text-ink-2">{text('pods.age')}</dt>
      <dd>
        <Ago time={creationTimestamp} />
      </dd>
      <dt className="text-ink-2">{text('objects.generation')}</dt>
      <dd>{generation ?? text('pods.none')}</dd>
      <dt className="text-ink-2">{text('objects.version')}</dt>
      <dd className="break-all">{resourceVersion}</dd>
    </dl>
  )
}

/** The same read with kubectl; in a member through the cluster proxy. */
function kubectlOf({ cluster, apiVersion, kind, namespace, name }: ObjectAddress): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[1]}.${apiVersion.split('/')[0]}` : ''
  const server =
    cluster === undefined ? '' : ` --server "$SERVER/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy"`
  return `kubectl${server} get ${kind.toLowerCase()}${group} ${name}${namespace === undefined ? '' : ` -n ${namespace}`} -o yaml`
}
