'use client'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { saveFile } from '../hooks/save-file'
import { Button } from '../ui/button'
import { InsetTable } from '../ui/inset-table'
import { Link } from '../ui/link'
import { Td, Th } from '../ui/table'
import { lossesCsv } from './losses-csv'
import type { LossCase } from './summary'
import { choiceOf, type Grouping } from './use-chosen'
import { evictedText, nameOfCase, peakMessage, placedText } from './words'

/** Maximum number of listed pairs: those with losses, the worst first. */
const MAX_PAIRS = 500

/** The picture as a table: the same losses, the same choice. */
export function LossTable({ losses, grouping }: { losses: LossesView; grouping: Grouping }) {
  const text = useText()
  const kind = grouping === 'pairs' ? 'cluster' : grouping === 'regions' ? 'region' : 'zone'
  const cases = losses[kind].each.map((loss) => ({ kind, loss }) as const)
  const save = (): void =>
    saveFile(new Blob([lossesCsv(losses)], { type: 'text/csv;charset=utf-8' }), `losses-${losses.revision ?? ''}.csv`)
  return (
    <>
      <p className="mb-2 text-right">
        <Button small onClick={save} disabled={losses.tookMs === undefined}>
          {text('resilience.export')}
        </Button>
      </p>
      <InsetTable aria-label={text(`resilience.table.${kind}`)} data-testid="loss-table">
        <thead>
          <tr>
            <Th className="pl-0">{text('resilience.column.what')}</Th>
            <Th figure title={text('resilience.column.placedHint')}>
              {text('resilience.column.placed')}
            </Th>
            <Th figure title={text('resilience.column.losingHint')}>
              {text('resilience.column.losing')}
            </Th>
            <Th figure title={text('resilience.column.evictedHint')}>
              {text('resilience.column.evicted')}
            </Th>
            <Th>{text('resilience.column.peak')}</Th>
          </tr>
        </thead>
        <tbody>
          {cases.map((one) => (
            <CaseRow key={one.loss.place ?? one.loss.clusters[0]} one={one} />
          ))}
        </tbody>
      </InsetTable>
      {grouping === 'pairs' && losses.pairs && <PairTable losses={losses} />}
    </>
  )
}

function CaseRow({ one }: { one: LossCase }) {
  const text = useText()
  const { hrefWith } = useUrlState()
  const peak = peakMessage(one.loss)
  return (
    <tr data-testid="loss-row" data-losing={one.loss.losing} data-clusters={one.loss.clusters.join(',')}>
      <Th scope="row" names="row" className="pl-0">
        <Link href={hrefWith(choiceOf(one))} className="hover:underline" scroll={false}>
          {text.of(nameOfCase(one))}
        </Link>
      </Th>
      <Td figure>{placedText(text, one.loss)}</Td>
      <Td figure>{text.format.count(one.loss.losing)}</Td>
      <Td figure>{evictedText(text, one.loss)}</Td>
      <Td>{peak ? text.of(peak) : <span className="text-ink-2">—</span>}</Td>
    </tr>
  )
}

interface PairRow {
  names: [string, string]
  losing: number
}

function losingPairs({ clusters, pairs }: LossesView): PairRow[] {
  if (!pairs) return []
  const rows = clusters.flatMap((one, row) => clusters.slice(0, row).map((other) => [one.name, other.name] as const))
  return rows
    .map(([one, other], at): PairRow => ({ names: [one, other], losing: pairs.losing[at] ?? 0 }))
    .filter(({ losing }) => losing > 0)
    .sort((a, b) => b.losing - a.losing)
}

/** The pairs that lose something; what else they cost is in their card. */
function PairTable({ losses }: { losses: LossesView }) {
  const text = useText()
  const { hrefWith } = useUrlState()
  const rows = losingPairs(losses)
  const hidden = rows.length - MAX_PAIRS
  return (
    <>
      {rows.length > 0 && (
        <InsetTable aria-label={text('resilience.table.pairs')} className="mt-6 min-w-0">
          <thead>
            <tr>
              <Th className="pl-0">{text('resilience.table.pairs')}</Th>
              <Th figure title={text('resilience.column.losingHint')}>
                {text('resilience.column.losing')}
              </Th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_PAIRS).map(({ names, losing }) => (
              <tr key={names.join()} data-testid="loss-row" data-losing={losing} data-clusters={names.join(',')}>
                <Th scope="row" names="row" className="pl-0 break-words">
                  <Link
                    href={hrefWith({ by: undefined, loss: names.join(',') })}
                    className="hover:underline"
                    scroll={false}
                  >
                    {text('resilience.what.clusters', { clusters: names })}
                  </Link>
                </Th>
                <Td figure>{text.format.count(losing)}</Td>
              </tr>
            ))}
          </tbody>
        </InsetTable>
      )}
      <p className="mt-2 text-ink-2">
        {text('resilience.table.safe', { n: losses.pairs?.survived ?? 0 })}{' '}
        {hidden > 0 && text('resilience.table.more', { n: hidden })}
      </p>
    </>
  )
}
