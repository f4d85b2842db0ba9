'use client'
import { useMemo } from 'react'
import { formatCount } from '@/lib/format'
import type { ClusterView } from '@/lib/view/model'
import { clusterFields, matchesFilter, parseFilter } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCalm } from '../hooks/use-calm'
import { useCollection } from '../hooks/use-collection'
import { useHeldRows } from '../hooks/use-held-rows'
import { useUrlState } from '../hooks/use-url-state'
import { FailbackNotices } from '../failback/failback-notices'
import { FilterField } from '../shell/filter-field'
import { describeQuery, ListBody } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { WaitingChanges } from '../shell/waiting-changes'
import { Ago } from '../status/ago'
import { Legend } from '../status/legend'
import { StateMark } from '../status/state-mark'
import { countStates, parseState } from '../status/states'
import { NameLink } from '../ui/name-link'
import { ListHead, Table, Td, Th } from '../ui/table'
import { CapacityCell } from './capacity'
import { ClustersEmpty } from './clusters-empty'
import { clusterWord, LAST_REPORTED, placeOf, taintsInShort, taintText } from './cluster-words'
import { Link } from '../ui/link'
import { laterPart } from '../ui/later-part'

const ClusterDrawer = laterPart(() => import('./cluster-drawer').then((code) => code.ClusterDrawer))

/** Member clusters: state, room, what is there. `?cluster=` opens one. */
export function ClustersPage() {
  const url = useUrlState()
  const clusters = useCollection('clusters')
  const filter = url.get('q') ?? ''
  const state = parseState(url.get('state'))
  const shown = useMemo(() => selectClusters(clusters.items, filter, state), [clusters.items, filter, state])
  const calm = useCalm()
  const held = useHeldRows(shown, `${filter} ${state}`, calm.attended)
  return (
    <PageFrame
      title="Clusters"
      freshness={clusters.freshness}
      loaded={clusters.loaded}
      actions={<FilterField hint="Filter: name, region=, zone=, taint=" />}
      subline={
        <>
          {clusters.refused === undefined && (
            <Legend
              counts={clusters.loaded ? countStates(clusters.items) : undefined}
              noun="clusters"
              selected={state}
              hrefOf={(next) => url.hrefWith({ state: next })}
            />
          )}
          <WaitingChanges count={held.waiting} onRelease={held.release} />
        </>
      }
    >
      <FailbackNotices />
      <ListBody
        noun="cluster"
        collection={clusters}
        empty={<ClustersEmpty />}
        shown={held.rows.length}
        query={describeQuery(filter, state && `state=${state}`)}
        clearHref={url.hrefWith({ q: undefined, state: undefined })}
      >
        <div {...calm.regionProps}>
          <ClusterTable clusters={held.rows} gone={held.gone} />
        </div>
      </ListBody>
      <ClusterDrawer clusters={clusters} />
    </PageFrame>
  )
}

function selectClusters(clusters: readonly ClusterView[], filter: string, state: string | undefined): ClusterView[] {
  const terms = parseFilter(filter)
  return clusters.filter(
    (cluster) => (state === undefined || cluster.state.state === state) && matchesFilter(terms, clusterFields(cluster)),
  )
}

function ClusterTable({ clusters, gone }: { clusters: readonly ClusterView[]; gone: ReadonlySet<string> }) {
  return (
    <Table
      aria-label="Clusters"
      className="[&_td:not(:first-child,:last-child)]:px-2 [&_th:not(:first-child,:last-child)]:px-2"
    >
      <ListHead>
        <Th className="pl-6">Cluster</Th>
        <Th>Region / zone</Th>
        <Th>State</Th>
        <Th>Version</Th>
        <Th figure>Nodes</Th>
        <Th>CPU, free</Th>
        <Th>Memory, free</Th>
        <Th figure>Pods</Th>
        <Th figure>Workloads</Th>
        <Th figure>Replicas</Th>
        <Th>Taints</Th>
        <Th figure className="pr-6">
          Last change
        </Th>
      </ListHead>
      <tbody>
        {clusters.map((cluster) => (
          <ClusterRow key={cluster.id} cluster={cluster} gone={gone.has(cluster.id)} />
        ))}
      </tbody>
    </Table>
  )
}

function ClusterRow({ cluster, gone }: { cluster: ClusterView; gone: boolean }) {
  const { nodes, pods } = cluster
  // What a cluster said before it fell silent is still worth showing, but not as if it were known.
  const reported =
    cluster.ready === 'True'
      ? {}
      : { className: 'text-ink-2', title: LAST_REPORTED }
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="cluster-row"
      data-cluster={cluster.name}
      data-state={cluster.state.state}
      data-ready={cluster.ready}
    >
      <Td className="pl-6 whitespace-nowrap">
        <NameLink href={href.cluster(cluster.name)} name={cluster.name} scroll={false} />
        {cluster.simulated && <span className="ml-2 text-label font-normal text-ink-2">simulated</span>}
      </Td>
      <Td className="max-w-48 truncate" title={placeOf(cluster)}>
        {placeOf(cluster)}
      </Td>
      <Td title={cluster.state.reason}>
        <StateMark state={cluster.state.state} word={clusterWord(cluster)} />
      </Td>
      <Td>{cluster.kubernetesVersion ?? '—'}</Td>
      <Td figure {...reported}>
        {nodes ? `${nodes.ready}/${nodes.total}` : '◌'}
      </Td>
      <CapacityCell capacity={cluster.cpu} {...reported} />
      <CapacityCell capacity={cluster.memory} {...reported} />
      <Td figure {...reported}>
        {pods ? formatCount(pods.allocated) : '◌'}
      </Td>
      <Td figure>
        <Link href={href.fleet({ q: `cluster=${cluster.name}` })} className="hover:underline">
          {formatCount(cluster.workloads)}
        </Link>
      </Td>
      <Td figure>{formatCount(cluster.replicas)}</Td>
      <Td className="whitespace-nowrap" title={cluster.taints.map(taintText).join('\n')}>
        <Link href={href.cluster(cluster.name)} scroll={false} className="hover:underline">
          {taintsInShort(cluster.taints)}
        </Link>
      </Td>
      <Td figure className="pr-6">
        <Ago time={cluster.readySince} absent="—" />
      </Td>
    </tr>
  )
}
