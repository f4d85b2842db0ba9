import { clsx } from 'clsx'
import type { Text } from '@/lib/messages'
import type { SpreadInClusterView, SpreadSubsetView, SpreadView, SubsetCountView } from '@/lib/view/spread-model'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { BarKey } from '../status/replica-bar'
import { Reserved } from './reserved'
import { SubsetBar } from './subset-bar'
import { conditionText, limitWord, stepText, sumText } from './spread-words'

interface ClusterSpreadProps {
  spread: SpreadView
  cluster: SpreadInClusterView
  /** Pods that the longest bar stands for, the same in all clusters. */
  scale: number
}

/** One spread in one cluster: the counts of its subsets, their sum, and the delete order. */
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
        <span className="text-ink-2">
          {cluster.state.state === 'ok' ? sizeText(text, cluster) : text.of(cluster.state.reason)}
        </span>
      </div>
      {subsets ? (
        <>
          <SubsetTable spread={spread} cluster={cluster} scale={scale} />
          <Consequences spread={spread} cluster={cluster} />
        </>
      ) : (
        <p className="text-ink-2">◌ {text('spread.noSubsets')}</p>
      )}
    </section>
  )
}

function sizeText(text: Text, { size }: SpreadInClusterView): string {
  return size === undefined ? text('spread.desiredUnknown') : text('spread.desiredPods', { pods: size })
}

function SubsetTable({ spread, cluster: { cluster, subsets }, scale }: ClusterSpreadProps) {
  const text = useText()
  return (
    <InsetTable className="min-w-[60rem]" aria-label={text('spread.subsetsIn', { cluster })}>
      <thead>
        <tr>
          <Th className="w-32 pl-0">{text('spread.column.subset')}</Th>
          <Th className="w-28">{text('spread.column.limit')}</Th>
          <Th className="w-64">
            <BarKey dark={text('spread.bar.desired')} pale={text('spread.bar.surplus')} />
          </Th>
          <Th figure>{text('spread.column.current')}</Th>
          <Th figure title={text('spread.column.desiredHint')}>
            {text('spread.column.desired')}
          </Th>
          <Th figure>{text('spread.column.difference')}</Th>
          <Th figure title={text('spread.column.roomHint')}>
            {text('spread.column.room')}
          </Th>
          <Th className="w-40">{text('spread.column.pending')}</Th>
          <Th>{text('spread.column.state')}</Th>
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
  const { name, current, desired, missing, state } = count
  return (
    <tr
      data-testid="subset-row"
      data-subset={name}
      data-current={current}
      data-desired={desired ?? ''}
      data-missing={missing ?? ''}
      data-unschedulable={count.unschedulable !== undefined}
      data-state={state.state}
    >
      <Th scope="row" names="row" className="pl-0">
        {name}
      </Th>
      <Td className="whitespace-nowrap">{subset && <Limit subset={subset} limit={count.limit} />}</Td>
      <Td>
        <SubsetBar current={current} desired={desired} scale={scale} />
      </Td>
      <Td figure>{text.format.count(current)}</Td>
      <Td figure>{desired === undefined ? '◌' : text.format.count(desired)}</Td>
      <Td figure className={clsx(desired === undefined || current === desired ? 'text-ink-2' : 'font-medium')}>
        {desired === undefined ? '' : text.format.delta(current - desired)}
      </Td>
      <Td figure>{missing === undefined ? <span className="text-ink-2">—</span> : text.format.count(missing)}</Td>
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

/** Shows a limit as written, and the resulting number if it is a share. */
function Limit({ subset, limit }: { subset: SpreadSubsetView; limit: number | undefined }) {
  const text = useText()
  const isShare = typeof subset.maxReplicas === 'string'
  return (
    <>
      <span className={clsx(subset.maxReplicas === undefined && 'text-ink-2')}>{limitWord(text, subset)}</span>
      {isShare && <span className="text-ink-2"> = {limit === undefined ? '◌' : text.format.count(limit)}</span>}
    </>
  )
}

/** Whether the sum is right, and which pods are deleted first. */
function Consequences({
  spread,
  cluster: { sum, deleteOrder, revisions },
}: {
  spread: SpreadView
  cluster: SpreadInClusterView
}) {
  const text = useText()
  return (
    <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4">
      <dt className="text-ink-2">{text('spread.balance')}</dt>
      <dd>
        {sum ? (
          <span className="flex flex-wrap items-center gap-x-3" data-testid="sum" data-off={sum.off}>
            <span className="font-medium">{sumText(sum)}</span>
            <StateMark state={sum.state.state} word={text.of(sum.state.reason)} />
          </span>
        ) : (
          <span className="text-ink-2">◌ {text('spread.noSum')}</span>
        )}
      </dd>
      <dt className="text-ink-2">{text('spread.deleteOrder')}</dt>
      <dd data-testid="delete-order">
        <DeleteOrder deletion={spread.deletion} steps={deleteOrder ?? []} />
        {revisions > 1 && <span className="text-ink-2"> · {text('spread.deleteOrder.revisions', { revisions })}</span>}
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
  const text = useText()
  if (deletion !== 'subset') return <span className="text-ink-2">{text(`spread.deleteOrder.${deletion}`)}</span>
  if (steps.length === 0) return <span className="text-ink-2">{text('spread.deleteOrder.none')}</span>
  return (
    <span title={text('spread.deleteOrder.hint')}>
      {steps.map((step, at) => (
        <span key={`${step.subset} ${step.cost}`}>
          {at > 0 && (
            <span aria-hidden="true" className="mx-2 text-ink-2">
              →
            </span>
          )}
          {stepText(text, step)} <span className="text-ink-2">({text.format.count(step.cost)})</span>
        </span>
      ))}
    </span>
  )
}
