'use client'
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useId } from 'react'
import { isoTime } from '@/lib/std/clock'
import { type Axis, placeOn } from '@/lib/view/incident/layout'
import { useText } from '../messages/use-text'
import { Button, IconButton } from '../ui/button'
import { type Player, type PlayerState, SPEEDS } from './player'

interface ScrubberProps {
  player: Player
  state: PlayerState
  axis: Axis
  /** The time that is shown now. */
  at: number
  stops: readonly number[]
  milestones: readonly number[]
}

/** The playhead as a slider, exactly under the axis. */
export function Scrubber({ player, axis, at, state, stops, milestones }: ScrubberProps) {
  const text = useText()
  const place = placeOn(axis, 100)
  const hint = useId()
  const seek = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    player.seek(axis.from + ((event.clientX - left) / width) * (axis.to - axis.from))
  }
  const time = { time: isoTime(at) }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the thumb of an input is not where its value is on the axis
      role="slider"
      tabIndex={0}
      aria-label={text('incident.player.position')}
      aria-valuemin={Math.round(axis.from)}
      aria-valuemax={Math.round(axis.to)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={state.at === undefined ? text('incident.player.now', { time }) : text.format.timeOfDay(time.time)}
      aria-describedby={hint}
      data-testid="incident-scrubber"
      className="relative h-11 cursor-pointer touch-none -outline-offset-2"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seek(event)
      }}
      onPointerMove={(event) => event.buttons > 0 && seek(event)}
      onKeyDown={(event) => steer(event, { player, axis, stops, milestones })}
    >
      <span id={hint} className="sr-only">
        {text('incident.player.keys')}
      </span>
      <svg width="100%" height="44" aria-hidden="true" className="absolute inset-0">
        <path d="M0 22H4000" strokeWidth="4" className="stroke-line" />
        {[...new Set(milestones)].map((each) => (
          <rect key={each} x={`${place(each)}%`} y="16" width="2" height="12" className="fill-ink-2" />
        ))}
      </svg>
      <div aria-hidden="true" className="absolute inset-0 overflow-hidden">
        <div data-playhead className="absolute inset-y-[20px] right-full w-full bg-ink will-change-transform" />
      </div>
      {/* What is moved is as wide as the axis; it must not widen the page. */}
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 overflow-clip [overflow-clip-margin:10px]"
      >
        <div data-playhead className="absolute inset-0 will-change-transform">
          <div className="absolute top-[13px] -left-[9px] size-[18px] rounded-full border-4 border-ink bg-paper" />
        </div>
      </div>
    </div>
  )
}

interface Steering {
  player: Player
  axis: Axis
  stops: readonly number[]
  milestones: readonly number[]
}

const KEYS: Record<string, (steering: Steering) => void> = {
  ' ': ({ player }) => player.toggle(),
  ArrowRight: ({ player, stops }) => player.step(1, stops),
  ArrowUp: ({ player, stops }) => player.step(1, stops),
  ArrowLeft: ({ player, stops }) => player.step(-1, stops),
  ArrowDown: ({ player, stops }) => player.step(-1, stops),
  PageDown: ({ player, milestones }) => player.step(1, milestones),
  PageUp: ({ player, milestones }) => player.step(-1, milestones),
  Home: ({ player, axis }) => player.seek(axis.from),
  End: ({ player }) => player.follow(),
}

function steer(event: KeyboardEvent, steering: Steering): void {
  const act = KEYS[event.key]
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  act(steering)
}

/** Play, speed, steps, and the way back to the present. */
export function PlayerControls({
  player,
  state,
  isRunning,
}: {
  player: Player
  state: PlayerState
  isRunning: boolean
}) {
  const text = useText()
  return (
    <fieldset aria-label={text('incident.player.label')} className="flex flex-wrap items-center gap-1">
      <IconButton
        label={text(state.playing ? 'incident.player.pause' : 'incident.player.play')}
        onClick={() => player.toggle()}
        data-testid="incident-play"
        className="max-wide:size-11"
      >
        {state.playing ? <Pause size={16} /> : <Play size={16} />}
      </IconButton>
      <fieldset className="flex" aria-label={text('incident.player.speed')}>
        {SPEEDS.map((speed) => (
          <button
            key={speed}
            type="button"
            aria-pressed={state.speed === speed}
            aria-label={text('incident.player.timesLabel', { n: speed })}
            onClick={() => player.setSpeed(speed)}
            className="h-7 min-w-8 border border-line-strong px-1.5 text-label not-first:border-l-0 first:rounded-l-control last:rounded-r-control hover:bg-raised aria-pressed:bg-ink aria-pressed:text-paper max-wide:h-11 max-wide:min-w-11"
          >
            {text('incident.player.times', { n: speed })}
          </button>
        ))}
      </fieldset>
      <IconButton label={text('incident.player.previous')} onClick={() => player.step(-1)} className="max-wide:size-11">
        <ChevronLeft size={16} />
      </IconButton>
      <IconButton label={text('incident.player.next')} onClick={() => player.step(1)} className="max-wide:size-11">
        <ChevronRight size={16} />
      </IconButton>
      <Button
        small
        aria-pressed={state.at === undefined}
        onClick={() => player.follow()}
        className="max-wide:h-11"
        data-testid="incident-live"
      >
        {text(isRunning ? 'incident.player.live' : 'incident.player.end')}
      </Button>
    </fieldset>
  )
}
