'use client'
import { Pause, Play } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { FreshnessView } from '@/lib/view/live-client'
import { describeFreshness } from '../hooks/freshness'
import type { PauseState } from '../hooks/live-connection'
import { useLiveConnection } from '../hooks/live-provider'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { IconButton } from '../ui/button'
import { Tooltip } from '../ui/tooltip'

const RUNNING: PauseState = { paused: false, held: 0 }
const never = () => () => undefined

/** How current the page is, and the button that pauses it. */
export function FreshnessChip({ freshness }: { freshness: FreshnessView }) {
  const text = useText()
  const connection = useLiveConnection()
  const pause = useSyncExternalStore(
    connection?.onPauseChange ?? never,
    connection?.pauseState ?? (() => RUNNING),
    () => RUNNING,
  )
  const chip = describeFreshness(text, { view: freshness, pause, now: useNow() })
  return (
    <div
      className="flex items-center gap-1"
      data-testid="freshness"
      data-freshness={pause.paused ? 'Paused' : freshness.word}
    >
      <Tooltip text={chip.detail}>
        <button type="button" className="flex h-6 cursor-default items-center gap-1.5 rounded-control px-2 text-label">
          <StateGlyph state={chip.state} />
          <span>{chip.label}</span>
        </button>
      </Tooltip>
      <IconButton
        label={text(pause.paused ? 'shell.resumeUpdates' : 'shell.pauseUpdates')}
        aria-pressed={pause.paused}
        onClick={() => connection?.setPaused(!pause.paused)}
      >
        {pause.paused ? <Play size={13} aria-hidden="true" /> : <Pause size={13} aria-hidden="true" />}
      </IconButton>
    </div>
  )
}
