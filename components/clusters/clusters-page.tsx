'use client'
import type { CapacityView, ClusterView } from '@/lib/view/model'
import { clusterFields, selectBy } from '../hooks/filter'
import { href } from '../hooks/url-state'
import type { Sorts } from '../hooks/sorting'
import { useLiveList } from '../hooks/use-live-list'
import { useSortHeads } from '../hooks/use-sorting'
import { FailbackNotices } from '../plan/failback-notices'
import { useText } from '../messages/use-text'
import { ListPage, StateCounts } from '../shell/list-page'
import { Ago } from '../status/ago'
import { ReplicaCells } from '../status/replica-cells'
import { StateMark } from '../status/state-mark'
import { CutText } from '../ui/cut-text'
import { NameLink } from '../ui/name-link'
import { ListHead, Table, Td, Th } from '../ui/table'
import { CapacityCell } from './capacity'
import { ClustersEmpty } from '../fleet-summary/clusters-empty'
import { clusterWord, placeOf, taintsInShort, taintText } from './cluster-words'
import { Link } from '../ui/link'
import { closedPart } from '../ui/later-part'

const ClusterDrawer = closedPart(() => import('./cluster-drawer').then((code) => code.ClusterDrawer))

const freeOf = (capacity: CapacityView | undefined): number | undefined =>
  capacity && capacity.allocatable - capacity.allocated

const select = selectBy(clusterFields)

const SORTS: Sorts<ClusterView> = {
  name: ({ name }) => name,
  place: placeOf,
  state: ({ state }) => state.state,
  version: ({ kubernetesVersion }) => kubernetesVersion,
  nodes: ({ nodes }) => nodes?.ready,
  cpu: ({ cpu }) => freeOf(cpu),
  memory: ({ memory }) => freeOf(memory),
  pods: ({ pods }) => pods?.allocated,
  workloads: ({ workloads }) => workloads,
  ready: ({ replicas }) => replicas.ready,
  current: ({ replicas }) => replicas.current,
  desired: ({ replicas }) => replicas.desired,
  unknown: ({ replicas }) => replicas.unknown ?? 0,
  taints: ({ taints }) => taints.length,
  since: ({ readySince }) => readySince,
}

/** Member clusters: state, room, what is there. `?cluster=` opens one. */
export function ClustersPage() {
  const text = useText()
  const clusters = useLiveList('clusters', { select, sorts: SORTS })
  return (
    <ListPage
      title={text('clusters.title')}
      noun="cluster"
      list={clusters}
      filterHint={text('clusters.filterHint')}
      subline={<StateCounts list={clusters} label={text('clusters.byState')} />}
      empty={<ClustersEmpty />}
      above={<FailbackNotices />}
      below={<ClusterDrawer clusters={clusters} />}
    >
      <ClusterTable clusters={clusters.rows} gone={clusters.gone} />
    </ListPage>
  )
}

function ClusterTable({ clusters, gone }: { clusters: readonly ClusterView[]; gone: ReadonlySet<string> }) {
  const text = useText()
  const head = useSortHeads()
  return (
    <Table
      pinLast
      aria-label={text('clusters.title')}
      className="[&_td:not(:first-child,:last-child)]:px-2 [&_th:not(:first-child,:last-child)]:px-2"
    >
      <ListHead>
        <Th className="pl-6" sort={head('name')}>
          {text('clusters.cluster')}
        </Th>
        <Th sort={head('place')}>{text('clusters.place')}</Th>
        <Th sort={head('state')}>{text('workload.state')}</Th>
        <Th sort={head('version')}>{text('clusters.version')}</Th>
        <Th figure sort={head('nodes')}>
          {text('clusters.nodes')}
        </Th>
        <Th sort={head('cpu')}>{text('clusters.cpuFree')}</Th>
        <Th sort={head('memory')}>{text('clusters.memoryFree')}</Th>
        <Th figure sort={head('pods')}>
          {text('clusters.pods')}
        </Th>
        <Th figure sort={head('workloads')}>
          {text('clusters.workloads')}
        </Th>
        <Th figure sort={head('ready')}>
          {text('fleet.ready')}
        </Th>
        <Th figure sort={head('current')}>
          {text('fleet.current')}
        </Th>
        <Th figure sort={head('desired')}>
          {text('fleet.desired')}
        </Th>
        <Th sort={head('unknown')}>{text('workload.unknownOrOld')}</Th>
        <Th sort={head('taints')}>{text('clusters.taints')}</Th>
        <Th figure className="pr-6" sort={head('since')}>
          {text('clusters.lastChange')}
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
  const text = useText()
  const { nodes, pods } = cluster
  // Figures of a cluster that is not ready are shown as last reported.
  const reported = cluster.ready === 'True' ? {} : { className: 'text-ink-2', title: text('clusters.lastReported') }
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
        {cluster.simulated && (
          <span className="ml-2 text-label font-normal text-ink-2">{text('clusters.simulated')}</span>
        )}
      </Td>
      <Td className="max-w-48">
        <CutText text={placeOf(cluster)} />
      </Td>
      <Td title={text.of(cluster.state.reason)}>
        <StateMark state={cluster.state.state} word={clusterWord(text, cluster)} />
      </Td>
      <Td>{cluster.kubernetesVersion ?? '—'}</Td>
      <Td figure {...reported}>
        {nodes ? `${nodes.ready}/${nodes.total}` : '◌'}
      </Td>
      <CapacityCell capacity={cluster.cpu} {...reported} />
      <CapacityCell capacity={cluster.memory} {...reported} />
      <Td figure {...reported}>
        {pods ? text.format.count(pods.allocated) : '◌'}
      </Td>
      <Td figure>
        <Link href={href.fleet({ q: `cluster=${cluster.name}` })} className="hover:underline">
          {text.format.count(cluster.workloads)}
        </Link>
      </Td>
      <ReplicaCells counts={cluster.replicas} />
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
