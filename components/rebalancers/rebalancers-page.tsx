'use client'
import { useMemo } from 'react'
import type { PlanRunView, RebalancerView } from '@/lib/view/rebalance-model'
import { matchesFilter, parseFilter } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCalm } from '../hooks/use-calm'
import { type Collection, useCollection } from '../hooks/use-collection'
import { useHeldRows } from '../hooks/use-held-rows'
import { useRebalanceRights } from '../hooks/use-rebalance-rights'
import type { Sorts } from '../hooks/sorting'
import { useSorting } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { PlansTable } from '../plan-run/plans-table'
import { FailbackNotices } from '../failback/failback-notices'
import { FilterField } from '../shell/filter-field'
import { describeQuery, ListBody, PartRefused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { WaitingChanges } from '../shell/waiting-changes'
import { Ago } from '../status/ago'
import { Legend } from '../status/legend'
import { StateMark } from '../status/state-mark'
import { countStates, parseState } from '../status/states'
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
  const url = useUrlState()
  const rebalancers = useCollection('rebalancers')
  const plans = useCollection('plans')
  const filter = url.get('q') ?? ''
  const state = parseState(url.get('state'))
  const shownPlans = useMemo(() => select(plans.items, filter, state), [plans.items, filter, state])
  const shown = useMemo(() => select(rebalancers.items, filter, state), [rebalancers.items, filter, state])
  const calm = useCalm()
  const held = useHeldRows(shown, `${filter} ${state}`, calm.attended)
  const heldPlans = useHeldRows(shownPlans, `${filter} ${state}`, calm.attended)
  const both = useMemo(() => together(plans, rebalancers), [plans, rebalancers])
  const release = () => {
    held.release()
    heldPlans.release()
  }
  return (
    <PageFrame
      title={text('rebalance.list.title')}
      freshness={rebalancers.refused === undefined ? rebalancers.freshness : plans.freshness}
      loaded={both.loaded}
      actions={
        <>
          <FilterField hint={text('rebalance.list.filter')} />
          <GuardedLink right={useRebalanceRights().inWaves} href="/rebalancers/new">
            {text('rebalance.list.new')}
          </GuardedLink>
        </>
      }
      subline={
        <>
          {both.refused === undefined && (
            <Legend
              counts={both.loaded ? countStates(both.items) : undefined}
              label={text('rebalance.byState')}
              selected={state}
              hrefOf={(next) => url.hrefWith({ state: next })}
            />
          )}
          <WaitingChanges count={held.waiting + heldPlans.waiting} onRelease={release} />
        </>
      }
    >
      <FailbackNotices />
      <ListBody
        noun="rebalancer"
        collection={both}
        empty={<NoRebalancers plans={plans.refused} rebalancers={rebalancers.refused} />}
        shown={held.rows.length + heldPlans.rows.length}
        query={describeQuery(filter, state && `state=${state}`)}
        clearHref={url.hrefWith({ q: undefined, state: undefined })}
      >
        <div {...calm.regionProps}>
          {plans.refused !== undefined && <PartRefused what="plans" reason={plans.refused} />}
          {heldPlans.rows.length > 0 && rebalancers.items.length > 0 && (
            <PartTitle>{text('rebalance.list.inWaves')}</PartTitle>
          )}
          {heldPlans.rows.length > 0 && <PlansTable plans={heldPlans.rows} />}
          {rebalancers.refused !== undefined && <PartRefused what="rebalancers" reason={rebalancers.refused} />}
          {held.rows.length > 0 && (
            <>
              {plans.items.length > 0 && <PartTitle>{text('rebalance.list.atOnce')}</PartTitle>}
              <RebalancerTable rebalancers={held.rows} />
            </>
          )}
        </div>
      </ListBody>
    </PageFrame>
  )
}

/** Heading of one of the two tables; shown only where both have rows. */
function PartTitle({ children }: { children: string }) {
  return <h2 className="px-6 pt-4 pb-1 text-section">{children}</h2>
}

/** Both kinds as one list: refused where the user may view neither, loaded when each permitted one is. */
function together(plans: Collection<PlanRunView>, rebalancers: Collection<RebalancerView>) {
  const refused =
    plans.refused !== undefined && rebalancers.refused !== undefined
      ? eachOnce(`${plans.refused} ${rebalancers.refused}`)
      : undefined
  const known = ({ loaded, refused: no }: { loaded: boolean; refused?: string }) => loaded || no !== undefined
  return {
    loaded: refused === undefined && known(plans) && known(rebalancers),
    items: [...plans.items, ...rebalancers.items],
    ...(refused !== undefined && { refused }),
  }
}

/** The sentences of a text, none of them twice. */
const eachOnce = (text: string): string => [...new Set(text.split(/(?<=\.)\s+/))].join(' ')

/** Rows that match the filter and the state, the newest first. */
function select<T extends PlanRunView | RebalancerView>(
  rows: readonly T[],
  filter: string,
  state: string | undefined,
): T[] {
  const terms = parseFilter(filter)
  return rows
    .filter((each) => state === undefined || each.state.state === state)
    .filter((each) =>
      matchesFilter(terms, {
        name: [each.name],
        target: each.targets.map((target) => target.id),
        by: [each.createdBy ?? ''],
      }),
    )
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt) || a.name.localeCompare(b.name))
}

function NoRebalancers({ plans, rebalancers }: { plans: string | undefined; rebalancers: string | undefined }) {
  const text = useText()
  return (
    <EmptyState title={text('rebalance.list.empty')}>
      {plans !== undefined && <p>{text('rebalance.list.noPlans', { reason: plans })}</p>}
      {rebalancers !== undefined && <p>{text('rebalance.list.noRebalancers', { reason: rebalancers })}</p>}
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

const SORTS: Sorts<RebalancerView> = {
  name: ({ name }) => name,
  state: ({ state }) => state.state,
  workloads: ({ targets }) => targets.length,
  failed: ({ counts }) => counts.failed,
  progress: ({ targets }) => reached(targets, 'healthy') / Math.max(1, targets.length),
  by: ({ createdBy }) => createdBy,
  created: ({ createdAt }) => createdAt,
  ...Object.fromEntries(STAGES.map((stage) => [stage, ({ targets }: RebalancerView) => reached(targets, stage)])),
}

function RebalancerTable({ rebalancers }: { rebalancers: readonly RebalancerView[] }) {
  const text = useText()
  const { rows, head } = useSorting(rebalancers, SORTS)
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
        {rows.map((each) => (
          <RebalancerRow key={each.id} rebalancer={each} />
        ))}
      </tbody>
    </Table>
  )
}

function RebalancerRow({ rebalancer }: { rebalancer: RebalancerView }) {
  const text = useText()
  const { name, targets, counts, state } = rebalancer
  const count = (value: number, stage?: string) => (
    <Link
      href={`${href.rebalancer(name)}${stage ? `&stage=${stage}` : ''}`}
      className={value === 0 ? 'text-ink-2' : 'hover:underline'}
    >
      {value}
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
      <Td figure>{count(targets.length)}</Td>
      {STAGES.map((stage) => (
        <Td key={stage} figure data-stage={stage}>
          {count(reached(targets, stage), stage)}
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
