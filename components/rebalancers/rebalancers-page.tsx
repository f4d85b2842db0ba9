'use client'
import type { PlanRowView, RebalancerRowView } from '@/lib/view/rebalance-model'
import { type ListQuery, selectBy } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCalm } from '../hooks/use-calm'
import type { Collection } from '../hooks/use-collection'
import { type LiveList, useLiveList } from '../hooks/use-live-list'
import { useRebalanceRights } from '../hooks/use-rebalance-rights'
import type { Sorts } from '../hooks/sorting'
import { useSortHeads } from '../hooks/use-sorting'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { AccuracyHistory } from './accuracy-history'
import { PlansTable, usePlanSorts } from './plans-table'
import { FailbackNotices } from '../plan/failback-notices'
import { PartRefused } from '../shell/list-body'
import { ListPage, StateCounts } from '../shell/list-page'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { EmptyState } from '../ui/empty-state'
import { GuardedLink } from '../ui/guarded-button'
import { NameLink } from '../ui/name-link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { StageBar } from './stage-bar'
import { reached, STAGES } from './stages'
import { Link } from '../ui/link'

/** All plans and rebalancers, the newest first, with the progress of their targets. */
export function RebalancersPage() {
  const text = useText()
  const calm = useCalm()
  const rebalancers = useLiveList('rebalancers', { select, sorts: SORTS, calm })
  const plans = useLiveList('plans', { select, sorts: usePlanSorts(), calm })
  const both = together(plans, rebalancers)
  return (
    <ListPage
      title={text('shell.section.rebalance')}
      noun="rebalancer"
      list={both}
      filterHint={text('rebalance.list.filter')}
      actions={
        <GuardedLink right={useRebalanceRights().inWaves} href="/rebalancers/new">
          {text('rebalance.list.new')}
        </GuardedLink>
      }
      subline={<StateCounts list={both} label={text('rebalance.byState')} />}
      empty={<NoRebalancers />}
      above={<FailbackNotices />}
    >
      {plans.refused !== undefined && <PartRefused what="plans" of={plans} />}
      {plans.rows.length > 0 && rebalancers.items.length > 0 && <PartTitle>{text('rebalance.list.inWaves')}</PartTitle>}
      {plans.rows.length > 0 && <PlansTable plans={plans.rows} />}
      <AccuracyHistory plans={plans.rows} />
      {rebalancers.refused !== undefined && <PartRefused what="rebalancers" of={rebalancers} />}
      {rebalancers.rows.length > 0 && plans.items.length > 0 && <PartTitle>{text('rebalance.list.atOnce')}</PartTitle>}
      {rebalancers.rows.length > 0 && <RebalancerTable rebalancers={rebalancers.rows} />}
    </ListPage>
  )
}

/** Heading of one of the two tables; shown only where both have rows. */
function PartTitle({ children }: { children: string }) {
  return <h2 className="px-6 pt-4 pb-1 text-section">{children}</h2>
}

/** Both kinds as one list: refused where the user may view neither, loaded when each permitted one is. */
function together(
  plans: LiveList<unknown> & Collection<PlanRowView>,
  rebalancers: LiveList<unknown> & Collection<RebalancerRowView>,
) {
  const refused =
    plans.refused !== undefined && rebalancers.refused !== undefined
      ? eachOnce(`${plans.refused} ${rebalancers.refused}`)
      : undefined
  const known = ({ loaded, refused: no }: { loaded: boolean; refused?: string }) => loaded || no !== undefined
  return {
    calm: plans.calm,
    freshness: rebalancers.refused === undefined ? rebalancers.freshness : plans.freshness,
    loaded: refused === undefined && known(plans) && known(rebalancers),
    items: [...plans.items, ...rebalancers.items],
    rows: [...plans.rows, ...rebalancers.rows],
    gone: new Set([...plans.gone, ...rebalancers.gone]),
    waiting: plans.waiting + rebalancers.waiting,
    release: () => {
      plans.release()
      rebalancers.release()
    },
    // In a list with rows, the sections report their unread kinds.
    unread: plans.items.length + rebalancers.items.length === 0 ? [...plans.unread, ...rebalancers.unread] : [],
    ...(refused !== undefined && { refused }),
  }
}

/** The sentences of a text, none of them twice. */
const eachOnce = (text: string): string => [...new Set(text.split(/(?<=\.)\s+/))].join(' ')

const matching = selectBy(({ name, ids, createdBy }: PlanRowView | RebalancerRowView) => ({
  name: [name],
  target: ids,
  by: [createdBy ?? ''],
}))

/** Rows that match the filter and the state, the newest first. */
const select = <T extends PlanRowView | RebalancerRowView>(rows: readonly T[], query: ListQuery): T[] =>
  matching(rows, query).sort((a, b) => b.createdAt.localeCompare(a.createdAt) || a.name.localeCompare(b.name))

function NoRebalancers() {
  const text = useText()
  return (
    <EmptyState title={text('rebalance.list.empty')}>
      <p>
        <Rich
          code="rebalance.list.emptyHint"
          parts={{
            fleet: <Link href="/fleet" className="link" />,
            form: <Link href="/rebalancers/new" className="link" />,
            key: <kbd className="rounded-control border border-line bg-raised px-1.5 mono" />,
          }}
        />
      </p>
    </EmptyState>
  )
}

const SORTS: Sorts<RebalancerRowView> = {
  name: ({ name }) => name,
  state: ({ state }) => state.state,
  workloads: ({ ids }) => ids.length,
  failed: ({ counts }) => counts.failed,
  progress: ({ ids, counts }) => reached(counts, 'healthy') / Math.max(1, ids.length),
  by: ({ createdBy }) => createdBy,
  created: ({ createdAt }) => createdAt,
  ...Object.fromEntries(STAGES.map((stage) => [stage, ({ counts }: RebalancerRowView) => reached(counts, stage)])),
}

function RebalancerTable({ rebalancers }: { rebalancers: readonly RebalancerRowView[] }) {
  const text = useText()
  const head = useSortHeads()
  return (
    <Table pinLast aria-label={text('rebalance.list.title')}>
      <ListHead>
        <Th className="pl-6" sort={head('name')}>
          {text('rebalance.column.rebalancer')}
        </Th>
        <Th sort={head('state')}>{text('plan.column.state')}</Th>
        <Th figure sort={head('workloads')}>
          {text('plan.column.workloads')}
        </Th>
        {STAGES.map((stage) => (
          <Th key={stage} figure title={text(`rebalance.stageMeaning.${stage}`)} sort={head(stage)}>
            {text(`rebalance.stage.${stage}`)}
          </Th>
        ))}
        <Th figure title={text('rebalance.stageMeaning.failed')} sort={head('failed')}>
          {text('rebalance.stage.failed')}
        </Th>
        <Th sort={head('progress')}>{text('rebalance.column.progress')}</Th>
        <Th sort={head('by')}>{text('plan.column.by')}</Th>
        <Th figure className="pr-6" sort={head('created')}>
          {text('plan.column.created')}
        </Th>
      </ListHead>
      <tbody>
        {rebalancers.map((each) => (
          <RebalancerRow key={each.id} rebalancer={each} />
        ))}
      </tbody>
    </Table>
  )
}

function RebalancerRow({ rebalancer }: { rebalancer: RebalancerRowView }) {
  const text = useText()
  const { name, ids, counts, state } = rebalancer
  const count = (value: number, stage?: string) => (
    <Link
      href={`${href.rebalancer(name)}${stage ? `&stage=${stage}` : ''}`}
      className={value === 0 ? 'text-ink-2' : 'hover:underline'}
    >
      {text.format.count(value)}
    </Link>
  )
  return (
    <tr className="row-hover" data-testid="rebalancer-row" data-rebalancer={name} data-state={state.state}>
      <Td className="pl-6 whitespace-nowrap">
        <NameLink href={href.rebalancer(name)} name={name} />
      </Td>
      <Td>
        <span className="flex max-w-[15rem] items-center gap-2">
          <StateMark state={state.state} />
          <CutText text={text.of(state.reason)} className="text-ink-2" />
        </span>
      </Td>
      <Td figure>{count(ids.length)}</Td>
      {STAGES.map((stage) => (
        <Td key={stage} figure data-stage={stage}>
          {count(reached(counts, stage), stage)}
        </Td>
      ))}
      <Td figure data-stage="failed">
        {count(counts.failed, 'failed')}
      </Td>
      <Td>
        <StageBar rebalancer={rebalancer} />
      </Td>
      <Td className="whitespace-nowrap">{rebalancer.createdBy ?? <span className="text-ink-2">—</span>}</Td>
      <Td figure className="pr-6">
        <Ago time={rebalancer.createdAt} />
      </Td>
    </tr>
  )
}
