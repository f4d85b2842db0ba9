'use client'
import { useClusterFailover } from '../hooks/use-about'
import { useText } from '../messages/use-text'
import { StateGlyph } from './state-glyph'

/** Says beside what a loss would cost that no cluster is evicted by itself, where that is so. */
export function FailoverNote() {
  const text = useText()
  const failover = useClusterFailover()
  if (failover === undefined || failover === 'automatic') return null
  return (
    <p className="my-1 flex gap-2" data-testid="failover-note" data-failover={failover}>
      <span className="flex h-5 items-center">
        <StateGlyph state="warn" />
      </span>
      {text(`common.clusterFailover.${failover}`)}
    </p>
  )
}
