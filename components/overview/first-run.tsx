import type { LucideIcon } from 'lucide-react'
import { Activity, ArrowRightLeft, Grid3x3, MapPin, TextAlignStart } from 'lucide-react'
import { ClustersEmpty } from '../fleet-summary/clusters-empty'
import { FleetEmpty } from '../fleet-summary/fleet-empty'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { STATES } from '../status/states'

const WORDS: readonly { word: 'workload' | 'policy' | 'incident' | 'rebalance' | 'queue'; Icon: LucideIcon }[] = [
  { word: 'workload', Icon: Grid3x3 },
  { word: 'policy', Icon: MapPin },
  { word: 'incident', Icon: Activity },
  { word: 'rebalance', Icon: ArrowRightLeft },
  { word: 'queue', Icon: TextAlignStart },
]

/** A control plane without workloads: what this is, what to do first, and the words of the pages. */
export function FirstRun({ clusters }: { clusters: number | undefined }) {
  const text = useText()
  return (
    <div className="px-6 py-6 max-wide:px-4" data-testid="first-run">
      <h2 className="text-[24px] leading-[32px] font-semibold tracking-[-0.02em]">{text('overview.first.title')}</h2>
      <p className="text-ink-2">{text('overview.first.intro')}</p>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-8 border-t border-line wide:grid-cols-2">
        <div className="min-w-0">{clusters === 0 ? <ClustersEmpty /> : <FleetEmpty clusters={clusters} />}</div>
        <section className="min-w-0 py-12">
          <h3 className="text-section">{text('overview.first.words')}</h3>
          <dl className="mt-2">
            {WORDS.map(({ word, Icon }) => (
              <div key={word} className="flex items-start gap-3 border-b border-line py-2">
                <dt className="flex w-28 shrink-0 items-center gap-2 font-medium">
                  <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                  {text(`overview.first.word.${word}`)}
                </dt>
                <dd className="text-ink-2">{text(`overview.first.meaning.${word}`)}</dd>
              </div>
            ))}
          </dl>
          <p className="flex flex-wrap gap-x-4 gap-y-1 pt-3 text-label font-normal">
            {STATES.map((state) => (
              <StateMark key={state} state={state} />
            ))}
          </p>
        </section>
      </div>
    </div>
  )
}
