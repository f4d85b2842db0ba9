'use client'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'
import { Table, Td, Th } from '../ui/table'
import { worstCases } from './summary'
import { choiceOf } from './use-chosen'
import { evictedText, nameOfCase, placedText } from './words'

/** The losses that cost most. */
export function WorstCases({ losses }: { losses: LossesView }) {
  const text = useText()
  const { hrefWith } = useUrlState()
  const cases = worstCases(losses)
  return (
    <section aria-label={text('resilience.worst')}>
      <h2 className="text-section">{text('resilience.worst')}</h2>
      {cases.length === 0 ? (
        <p className="text-ink-2">{text('resilience.worst.none')}</p>
      ) : (
        <>
          <Table aria-label={text('resilience.worst')}>
            <thead>
              <tr>
                <Th className="pl-0">{text('resilience.column.what')}</Th>
                <Th figure title={text('resilience.column.placedHint')}>
                  {text('resilience.column.placed')}
                </Th>
                <Th figure title={text('resilience.column.losingHint')}>
                  {text('resilience.column.losing')}
                </Th>
                <Th figure className="pr-0" title={text('resilience.column.evictedHint')}>
                  {text('resilience.column.evicted')}
                </Th>
              </tr>
            </thead>
            <tbody>
              {cases.map((one) => (
                <tr
                  key={`${one.kind} ${one.loss.place ?? one.loss.clusters.join()}`}
                  data-testid="worst-case"
                  data-losing={one.loss.losing}
                >
                  <Th scope="row" names="row" className="max-w-40 min-w-0 pl-0 break-words">
                    <Link href={hrefWith(choiceOf(one))} className="hover:underline" scroll={false}>
                      {text.of(nameOfCase(one))}
                    </Link>
                  </Th>
                  <Td figure>{placedText(text, one.loss)}</Td>
                  <Td figure className="font-semibold">
                    {text.format.count(one.loss.losing)}
                  </Td>
                  <Td figure className="pr-0">
                    {evictedText(text, one.loss)}
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
          <p className="mt-1 text-label font-normal text-ink-2">{text('resilience.worst.hint')}</p>
        </>
      )}
    </section>
  )
}
