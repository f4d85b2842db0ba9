'use client'
import type { PolicyView } from '@/lib/view/policy-model'
import { selectBy } from '../hooks/filter'
import { href } from '../hooks/url-state'
import type { Sorts } from '../hooks/sorting'
import { useLiveList } from '../hooks/use-live-list'
import { useSortHeads } from '../hooks/use-sorting'
import { useText } from '../messages/use-text'
import { ListPage, StateCounts } from '../shell/list-page'
import { StateMark } from '../status/state-mark'
import { CutText } from '../ui/cut-text'
import { EmptyState } from '../ui/empty-state'
import { GuardedLink } from '../ui/guarded-button'
import { Link } from '../ui/link'
import { NameLink } from '../ui/name-link'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { ClusterSplit } from './cluster-split'
import { selectorText } from './policy-texts'
import { useMayCreatePolicy } from './use-may-create-policy'

const COLUMNS = 8

const select = selectBy(({ id, namespace = '', kind, selectors, clusters, state, drifted }: PolicyView) => ({
  name: [id],
  ns: [namespace],
  kind: [kind, ...selectors.map((selector) => selector.kind)],
  selects: selectors.flatMap(({ name = '', labels }) => [name, ...labels]),
  cluster: clusters.map(({ cluster }) => cluster),
  drift: [drifted > 0 ? 'yes' : 'no'],
  state: [state.state],
}))

const SORTS: Sorts<PolicyView> = {
  name: ({ id }) => id,
  workloads: ({ workloads }) => workloads,
  replicas: ({ replicas }) => replicas,
  drifted: ({ drift }) => drift,
  priority: ({ priority }) => priority,
  state: ({ state }) => state.state,
}

/** Lists propagation policies: selected resources, resulting placement, and drift. */
export function PoliciesPage() {
  const text = useText()
  const policies = useLiveList('policies', { select, sorts: SORTS })
  return (
    <ListPage
      title={text('shell.section.policies')}
      noun="policy"
      list={policies}
      filterHint={text('policies.filterHint')}
      actions={<NewPolicyLink policies={policies.items} />}
      subline={<StateCounts list={policies} label={text('policies.byState')} />}
      empty={<NoPolicies />}
    >
      <PolicyTable policies={policies.rows} gone={policies.gone} />
    </ListPage>
  )
}

function NewPolicyLink({ policies }: { policies: readonly PolicyView[] }) {
  const text = useText()
  return (
    <GuardedLink right={useMayCreatePolicy(policies)} href="/policies/new">
      {text('policies.new.open')}
    </GuardedLink>
  )
}

function NoPolicies() {
  const text = useText()
  return (
    <EmptyState title={text('policies.none')}>
      <p>{text('policies.noneMeaning')}</p>
      <p>
        <NewPolicyLink policies={[]} />
      </p>
    </EmptyState>
  )
}

function PolicyTable({ policies, gone }: { policies: readonly PolicyView[]; gone: ReadonlySet<string> }) {
  const text = useText()
  const head = useSortHeads()
  const most = Math.max(1, ...policies.map(({ replicas }) => replicas))
  return (
    <Table pinLast aria-label={text('policies.list')}>
      <ListHead>
        <Th className="pl-6" sort={head('name')}>
          {text('policies.column.policy')}
        </Th>
        <Th>{text('policies.column.selects')}</Th>
        <Th figure sort={head('workloads')}>
          {text('policies.column.workloads')}
        </Th>
        <Th sort={head('replicas')}>{text('policies.column.clusters')}</Th>
        <Th>{text('policies.column.placement')}</Th>
        <Th figure sort={head('drifted')} title={text('policies.column.driftHint')}>
          {text('policies.column.drift')}
        </Th>
        <Th figure sort={head('priority')}>
          {text('policies.column.priority')}
        </Th>
        <Th className="pr-6" sort={head('state')}>
          {text('policies.column.state')}
        </Th>
      </ListHead>
      <VirtualBody
        items={policies}
        columns={COLUMNS}
        render={(policy) => <PolicyRow key={policy.id} policy={policy} most={most} gone={gone.has(policy.id)} />}
      />
    </Table>
  )
}

function PolicyRow({ policy, most, gone }: { policy: PolicyView; most: number; gone: boolean }) {
  const text = useText()
  const { id, namespace, name, selectors, placement, drift, drifted, priority, preempts, workloads, state } = policy
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="policy-row"
      data-policy={id}
      data-state={state.state}
      data-workloads={workloads}
      data-replicas={policy.replicas}
      data-drift={drift}
    >
      <Td className="pl-6 whitespace-nowrap">
        {namespace !== undefined && <span className="text-ink-2">{namespace}/</span>}
        <NameLink href={href.policy(id)} name={name} />
        {namespace === undefined && (
          <span className="ml-2 text-label font-normal text-ink-2">{text('policies.clusterWide')}</span>
        )}
      </Td>
      <Td className="max-w-48">
        <CutText text={text.format.list(selectors.map((selector) => selectorText(text, selector)))} />
      </Td>
      <Td figure>
        <Link href={href.workloads({ q: `policy=${name}` })} className="hover:underline">
          {text.format.count(workloads)}
        </Link>
      </Td>
      <Td>
        <ClusterSplit clusters={policy.clusters} most={most} />
      </Td>
      <Td className="max-w-44">
        <CutText text={placement.map(text.of).join(' · ')} className="text-ink-2" />
      </Td>
      <Td figure>
        {drift === 0 ? (
          <span className="text-ink-2">0</span>
        ) : (
          <Link href={href.workloads({ q: `policy=${name} drift=yes` })} className="hover:underline">
            {text('policies.driftCount', { n: drift, workloads: drifted })}
          </Link>
        )}
      </Td>
      <Td figure title={text(preempts ? 'policies.preempts' : 'policies.preemptsNot')}>
        {priority}
        {preempts && <span aria-hidden="true"> ↑</span>}
      </Td>
      <Td className="w-full max-w-0 min-w-32 pr-6">
        <span className="flex items-center gap-2">
          <StateMark state={state.state} />
          {state.state !== 'ok' && <CutText text={text.of(state.reason)} className="text-ink-2" />}
        </span>
      </Td>
    </tr>
  )
}
