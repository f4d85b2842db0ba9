'use client'
import { useMemo } from 'react'
import type { SpreadView } from '@/lib/view/spread-model'
import { matchesFilter, parseFilter, spreadFields } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCalm } from '../hooks/use-calm'
import { useCollection } from '../hooks/use-collection'
import { useHeldRows } from '../hooks/use-held-rows'
import type { Sorts } from '../hooks/sorting'
import { useSortHeads, useSorting } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { FilterField } from '../shell/filter-field'
import { describeQuery, ListBody } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { WaitingChanges } from '../shell/waiting-changes'
import { Legend } from '../status/legend'
import { StateMark } from '../status/state-mark'
import { countStates, parseState } from '../status/states'
import { Link } from '../ui/link'
import { NameLink } from '../ui/name-link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { SpreadEmpty } from './spread-empty'
import { balanceInShort, podsBySubset, subsetsInShort } from './spread-words'
import { SpreadTarget } from './spread-target'

const COLUMNS = 7

const SORTS: Sorts<SpreadView> = {
  name: ({ id }) => id,
  workload: ({ target }) => target.name,
  subsets: ({ subsets }) => subsets.length,
  pods: (spread) => podsBySubset(spread)?.reduce((sum, { pods }) => sum + pods, 0),
  clusters: ({ clusters }) => clusters.length,
  balance: ({ clusters }) => balanceInShort(clusters).balanced,
  state: ({ state }) => state.state,
}

/** Every spread: of which workload, over which subsets, and whether the sums are right. */
export function SpreadList() {
  const text = useText()
  const url = useUrlState()
  const spreads = useCollection('spreads')
  const filter = url.get('q') ?? ''
  const state = parseState(url.get('state'))
  const shown = useMemo(() => selectSpreads(spreads.items, filter, state), [spreads.items, filter, state])
  const calm = useCalm()
  const sorted = useSorting(shown, SORTS)
  const held = useHeldRows(sorted.rows, `${filter} ${state} ${sorted.text}`, calm.attended)
  return (
    <PageFrame
      title={text('shell.section.spread')}
      freshness={spreads.freshness}
      loaded={spreads.loaded}
      actions={<FilterField hint={text('spread.filterHint')} />}
      subline={
        <>
          {spreads.refused === undefined && (
            <Legend
              counts={spreads.loaded ? countStates(spreads.items) : undefined}
              label={text('spread.byState')}
              selected={state}
              hrefOf={(next) => url.hrefWith({ state: next })}
            />
          )}
          <WaitingChanges count={held.waiting} onRelease={held.release} />
        </>
      }
    >
      <ListBody
        noun="spread"
        collection={spreads}
        empty={<SpreadEmpty />}
        shown={held.rows.length}
        query={describeQuery(filter, state && `state=${state}`)}
        clearHref={url.hrefWith({ q: undefined, state: undefined })}
      >
        <div {...calm.regionProps}>
          <SpreadTable spreads={held.rows} gone={held.gone} />
        </div>
      </ListBody>
    </PageFrame>
  )
}

function selectSpreads(spreads: readonly SpreadView[], filter: string, state: string | undefined): SpreadView[] {
  const terms = parseFilter(filter)
  return spreads.filter(
    (spread) => (state === undefined || spread.state.state === state) && matchesFilter(terms, spreadFields(spread)),
  )
}

function SpreadTable({ spreads, gone }: { spreads: readonly SpreadView[]; gone: ReadonlySet<string> }) {
  const text = useText()
  const head = useSortHeads()
  return (
    <Table pinLast aria-label={text('spread.list')}>
      <ListHead>
        <Th className="pl-6" sort={head('name')}>
          {text('spread.column.spread')}
        </Th>
        <Th sort={head('workload')}>{text('spread.column.workload')}</Th>
        <Th title={text('spread.column.subsetsHint')} sort={head('subsets')}>
          {text('spread.column.subsets')}
        </Th>
        <Th sort={head('pods')}>{text('spread.column.pods')}</Th>
        <Th figure sort={head('clusters')}>
          {text('spread.column.clusters')}
        </Th>
        <Th sort={head('balance')}>{text('spread.column.balance')}</Th>
        <Th className="pr-6" sort={head('state')}>
          {text('spread.column.state')}
        </Th>
      </ListHead>
      <VirtualBody
        items={spreads}
        columns={COLUMNS}
        render={(spread) => <SpreadRow key={spread.id} spread={spread} gone={gone.has(spread.id)} />}
      />
    </Table>
  )
}

function SpreadRow({ spread, gone }: { spread: SpreadView; gone: boolean }) {
  const text = useText()
  const pods = podsBySubset(spread)
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="spread-row"
      data-spread={spread.id}
      data-state={spread.state.state}
    >
      <Td className="pl-6 whitespace-nowrap">
        <span className="text-ink-2">{spread.namespace}/</span>
        <NameLink href={href.spread(spread.id)} name={spread.name} />
        {spread.strategy === 'Adaptive' && (
          <span className="ml-2 text-label font-normal text-ink-2">{text('spread.adaptive')}</span>
        )}
      </Td>
      <Td className="whitespace-nowrap">
        <SpreadTarget spread={spread} />
      </Td>
      <Td className="max-w-72">
        <CutText text={subsetsInShort(spread.subsets)} />
      </Td>
      <Td className="max-w-72">
        {pods ? (
          <CutText text={pods.map((each) => `${each.name} ${text.format.count(each.pods)}`).join(' · ')} />
        ) : (
          <span className="text-ink-2">◌ {text('spread.noReports')}</span>
        )}
      </Td>
      <Td figure>
        <Link href={href.spread(spread.id)} className="hover:underline">
          {spread.clusters.length}
        </Link>
      </Td>
      <Td className="whitespace-nowrap">
        <Balance spread={spread} />
      </Td>
      <Td className="w-full max-w-0 min-w-56 pr-6">
        <span className="flex items-center gap-2">
          <StateMark state={spread.state.state} />
          {spread.state.state !== 'ok' && <CutText text={text.of(spread.state.reason)} className="text-ink-2" />}
        </span>
      </Td>
    </tr>
  )
}

/** Worst first: a sum that is wrong counts more than one that waits. */
function Balance({ spread: { clusters } }: { spread: SpreadView }) {
  const text = useText()
  const { sums, balanced } = balanceInShort(clusters)
  if (sums === 0) return <span className="text-ink-2">—</span>
  if (balanced === sums) return <StateMark state="ok" word={text('spread.balance.all')} />
  const isWrong = clusters.some(({ sum }) => sum?.state.state === 'fail')
  return (
    <StateMark
      state={isWrong ? 'fail' : 'active'}
      word={text('spread.balance.off', { off: sums - balanced, all: sums })}
    />
  )
}
