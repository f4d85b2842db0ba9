'use client'
import type { SpreadView } from '@/lib/view/spread-model'
import { selectBy, spreadFields } from '../hooks/filter'
import { href } from '../hooks/url-state'
import type { Sorts } from '../hooks/sorting'
import { useLiveList } from '../hooks/use-live-list'
import { useSortHeads } from '../hooks/use-sorting'
import { useText } from '../messages/use-text'
import { ListPage, StateCounts } from '../shell/list-page'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { NameLink } from '../ui/name-link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { SpreadEmpty } from './spread-empty'
import { balanceInShort, podsBySubset, subsetsInShort } from './spread-words'
import { SpreadTarget } from './spread-target'

const COLUMNS = 7

const select = selectBy(spreadFields)

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
  const spreads = useLiveList('spreads', { select, sorts: SORTS })
  return (
    <ListPage
      title={text('shell.section.spread')}
      noun="spread"
      list={spreads}
      filterHint={text('spread.filterHint')}
      subline={<StateCounts list={spreads} label={text('spread.byState')} />}
      empty={<SpreadEmpty />}
    >
      <SpreadTable spreads={spreads.rows} gone={spreads.gone} />
    </ListPage>
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
