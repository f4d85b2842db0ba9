'use client'
import { type Message, message } from '@/lib/messages/message'
import type { Text } from '@/lib/messages'
import type { State } from '@/lib/view/model'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { ShareBar } from './share-bar'
import { clustersInPairs } from './summary'
import { useComputeLosses } from './use-losses'

const MAX_NAMED = 3

type Place = 'cluster' | 'region' | 'zone'

/** For each kind of loss, how many the fleet survives, and which it does not. */
export function Verdicts({ losses }: { losses: LossesView }) {
  const text = useText()
  const places = (['cluster', 'region', 'zone'] as const).filter((kind) => losses[kind].losses > 0)
  return (
    <section aria-label={text('resilience.verdicts')} data-testid="verdicts">
      <h2 className="text-section">{text('resilience.verdicts')}</h2>
      <ul>
        {places.map((kind) => (
          <Verdict key={kind} kind={kind} sums={losses[kind]} note={noteOf(text, losses, kind)} />
        ))}
        {losses.pairsTotal > 0
          && (losses.pairs ? (
            <Verdict kind="pairs" sums={losses.pairs} note={noteOfPairs(text, losses)} />
          ) : (
            <PairsToCome losses={losses} />
          ))}
      </ul>
    </section>
  )
}

interface VerdictProps {
  kind: Place | 'pairs'
  sums: { losses: number; survived: number }
  note: string
}

function Verdict({ kind, sums: { losses, survived }, note }: VerdictProps) {
  const text = useText()
  const state: State = survived === losses ? 'ok' : kind === 'pairs' ? 'warn' : 'fail'
  return (
    <li className="border-b border-line py-3" data-verdict={kind} data-survived={survived} data-losses={losses}>
      <p className="mb-1 flex items-center gap-2">
        <StateGlyph state={state} />
        <span className="font-medium">{text(`resilience.verdict.${kind}`)}</span>
        <span className="ml-auto whitespace-nowrap">{text('resilience.verdict.count', { survived, n: losses })}</span>
      </p>
      <ShareBar part={survived} whole={losses} />
      <p className="mt-1 break-words text-ink-2">{note}</p>
    </li>
  )
}

function noteOf(text: Text, losses: LossesView, kind: Place): string {
  const losing = losses[kind].each.filter((loss) => loss.losing > 0).sort((a, b) => b.losing - a.losing)
  if (losing.length === 0) return text('resilience.verdict.all')
  const named = losing
    .slice(0, MAX_NAMED)
    .map((loss) => message('resilience.verdict.one', { place: loss.place ?? loss.clusters[0] ?? '', n: loss.losing }))
  const rest = losing.length - named.length
  const what: Message[] = rest > 0 ? [...named, message('resilience.verdict.more', { n: rest })] : named
  return text('resilience.verdict.not', { what })
}

function noteOfPairs(text: Text, losses: LossesView): string {
  const { pairs } = losses
  const losing = pairs ? pairs.losses - pairs.survived : 0
  return losing === 0
    ? text('resilience.verdict.all')
    : text('resilience.verdict.notPairs', { n: losing, clusters: clustersInPairs(losses, MAX_NAMED) })
}

/** Pairs that are not computed: how far that is, or a button that starts it. */
function PairsToCome({ losses: { progress, pairsTotal } }: { losses: LossesView }) {
  const text = useText()
  const compute = useComputeLosses()
  return (
    <li className="border-b border-line py-3" data-verdict="pairs">
      <p className="mb-1 flex items-center gap-2">
        <StateGlyph state="unknown" />
        <span className="font-medium">{text('resilience.verdict.pairs')}</span>
        <span className="ml-auto whitespace-nowrap text-ink-2">
          {progress?.pairs
            ? text('resilience.progress', { done: progress.done, n: progress.total })
            : text('resilience.verdict.unknown')}
        </span>
      </p>
      <ShareBar part={progress?.pairs ? progress.done : 0} whole={0} />
      {!progress?.pairs && (
        <Button small className="mt-1" disabled={compute.isPending} onClick={() => compute.mutate('pairs')}>
          {text('resilience.startPairs', { n: pairsTotal })}
        </Button>
      )}
      {compute.error && (
        <p role="alert" className="mt-1">
          {compute.error.message}
        </p>
      )}
    </li>
  )
}
