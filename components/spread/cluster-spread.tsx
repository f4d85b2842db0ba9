import { clsx } from 'clsx'
import { formatCount, formatDelta, formatNumberOf } from '@/lib/format'
import type { SpreadInClusterView, SpreadSubsetView, SpreadView, SubsetCountView } from '@/lib/view/spread-model'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { BarKey } from '../workload/replica-bar'
import { Reserved } from './reserved'
import { SubsetBar } from './subset-bar'
import { accountText, conditionText, limitWord, stepText } from './spread-words'

interface ClusterSpreadProps {
  spread: SpreadView
  cluster: SpreadInClusterView
  /** Pods that the longest bar stands for, the same in all clusters. */
  scale: number
}

/** One spread in one cluster: the ledger of its subsets, and what follows from it. */
export function ClusterSpread({ spread, cluster, scale }: ClusterSpreadProps) {
  const text = useText()
  const { subsets } = cluster
  return (
    <section
      aria-label={cluster.cluster}
      data-testid="spread-cluster"
      data-cluster={cluster.cluster}
      data-state={cluster.state.state}
    >
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 className="text-section">
          <Link href={href.cluster(cluster.cluster)} className="hover:underline">
            {cluster.cluster}
          </Link>
        </h2>
        <StateMark state={cluster.state.state} />
        <span className="text-ink-2">{cluster.state.state === 'ok' ? sizeWords(cluster) : text.of(cluster.state.reason)}</span>
      </div>
      {subsets ? (
        <>
          <SubsetTable spread={spread} cluster={cluster} scale={scale} />
          <Consequences spread={spread} cluster={cluster} />
        </>
      ) : (
        <p className="text-ink-2">◌ Nothing to show of its subsets.</p>
      )}
    </section>
  )
}

function sizeWords({ size }: SpreadInClusterView): string {
  return size === undefined ? 'How many pods it is to have is not known here.' : `${formatNumberOf(size, 'pod')} wanted`
}

function SubsetTable({ spread, cluster: { cluster, subsets }, scale }: ClusterSpreadProps) {
  return (
    <InsetTable className="min-w-[60rem]" aria-label={`Subsets in ${cluster}`}>
      <thead>
        <tr>
          <Th className="w-32 pl-0">Subset</Th>
          <Th className="w-28">Limit</Th>
          <Th className="w-64">
            <BarKey dark="as wanted" pale="more than wanted" />
          </Th>
          <Th figure>Now</Th>
          <Th figure title="Pods that belong here when the subsets before are full">
            Wants
          </Th>
          <Th figure>Δ</Th>
          <Th figure title="Pods that it still takes before its limit is reached">
            Room
          </Th>
          <Th className="w-40">Reserved until</Th>
          <Th>State</Th>
        </tr>
      </thead>
      <tbody>
        {subsets?.map((count, at) => (
          <SubsetRow key={count.name} subset={spread.subsets[at]} count={count} scale={scale} />
        ))}
      </tbody>
    </InsetTable>
  )
}

function SubsetRow({
  subset,
  count,
  scale,
}: {
  subset: SpreadSubsetView | undefined
  count: SubsetCountView
  scale: number
}) {
  const text = useText()
  const { name, now, wants, missing, state } = count
  return (
    <tr
      data-testid="subset-row"
      data-subset={name}
      data-now={now}
      data-wants={wants ?? ''}
      data-missing={missing ?? ''}
      data-closed={count.closed !== undefined}
      data-state={state.state}
    >
      <Th scope="row" names="row" className="pl-0">
        {name}
      </Th>
      <Td className="whitespace-nowrap">{subset && <Limit subset={subset} limit={count.limit} />}</Td>
      <Td>
        <SubsetBar now={now} wants={wants} scale={scale} />
      </Td>
      <Td figure>{formatCount(now)}</Td>
      <Td figure>{wants === undefined ? '◌' : formatCount(wants)}</Td>
      <Td figure className={clsx(wants === undefined || now === wants ? 'text-ink-2' : 'font-medium')}>
        {wants === undefined ? '' : formatDelta(now - wants)}
      </Td>
      <Td figure>{missing === undefined ? <span className="text-ink-2">—</span> : formatCount(missing)}</Td>
      <Td className="whitespace-nowrap">
        <Reserved count={count} />
      </Td>
      <Td title={count.conditions.map(conditionText).join('\n')}>
        <span className="flex flex-wrap items-center gap-x-2">
          <StateMark state={state.state} />
          <span className="text-ink-2">{text.of(state.reason)}</span>
        </span>
      </Td>
    </tr>
  )
}

/** As written, and what a share comes to here. */
function Limit({ subset, limit }: { subset: SpreadSubsetView; limit: number | undefined }) {
  const isShare = typeof subset.maxReplicas === 'string'
  return (
    <>
      <span className={clsx(subset.maxReplicas === undefined && 'text-ink-2')}>{limitWord(subset)}</span>
      {isShare && <span className="text-ink-2"> = {limit === undefined ? '◌' : formatCount(limit)}</span>}
    </>
  )
}

/** Whether the sum is right, and who would go first. */
function Consequences({
  spread,
  cluster: { account, deleteOrder, revisions },
}: {
  spread: SpreadView
  cluster: SpreadInClusterView
}) {
  const text = useText()
  return (
    <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4">
      <dt className="text-ink-2">Accounting</dt>
      <dd>
        {account ? (
          <span className="flex flex-wrap items-center gap-x-3" data-testid="accounting" data-off={account.off}>
            <span className="font-medium">{accountText(account)}</span>
            <StateMark state={account.state.state} word={text.of(account.state.reason)} />
          </span>
        ) : (
          <span className="text-ink-2">
            ◌ no sum: the workload did not report there, or some of its pods are not spread
          </span>
        )}
      </dd>
      <dt className="text-ink-2">Delete order</dt>
      <dd data-testid="delete-order">
        <DeleteOrder deletion={spread.deletion} steps={deleteOrder ?? []} />
        {revisions > 1 && (
          <span className="text-ink-2">
            {' '}
            · while {revisions} revisions run, the old ones are emptied from the first subset on
          </span>
        )}
      </dd>
    </dl>
  )
}

function DeleteOrder({
  deletion,
  steps,
}: {
  deletion: SpreadView['deletion']
  steps: NonNullable<SpreadInClusterView['deleteOrder']>
}) {
  if (deletion === 'ordinal') return <span className="text-ink-2">the highest ordinal first, whatever its subset</span>
  if (deletion === 'any')
    return <span className="text-ink-2">not by subset: this kind of workload does not heed what pods cost</span>
  if (steps.length === 0) return <span className="text-ink-2">no pod is there</span>
  return (
    <span title="Among pods of one step, and before all of them: those that are not ready">
      {steps.map((step, at) => (
        <span key={`${step.subset} ${step.cost}`}>
          {at > 0 && (
            <span aria-hidden="true" className="mx-2 text-ink-2">
              →
            </span>
          )}
          {stepText(step)} <span className="text-ink-2">({formatCount(step.cost)})</span>
        </span>
      ))}
    </span>
  )
}
