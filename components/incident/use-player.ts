'use client'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Axis, placeOn } from '@/lib/view/incident/layout'
import { Player, type PlayerState } from './player'

interface SceneOf {
  axis: Axis
  present: number
  stops: readonly number[]
  /** Where the playhead is at first; undefined follows the present. */
  initial: number | undefined
}

const STOPPED: PlayerState = { at: undefined, playing: false, speed: 1 }

/** A player over a picture. Each frame moves the marks of the playhead; nothing is rendered for it. */
export function usePlayer({ axis, present, stops, initial }: SceneOf) {
  const [player] = useState(
    () =>
      new Player({
        now: () => performance.now(),
        next: (draw) => {
          const frame = requestAnimationFrame(draw)
          return () => cancelAnimationFrame(frame)
        },
      }),
  )
  const stage = useRef<HTMLDivElement>(null)
  const state = useSyncExternalStore(player.subscribe, player.getState, () => STOPPED)
  const draw = useCallback(
    (at: number) => {
      const shift = `translateX(${placeOn(axis, 100)(at).toFixed(3)}%)`
      // Set on each mark itself: a property of the stage would have the style of all below it computed again.
      for (const mark of stage.current?.querySelectorAll<HTMLElement>('[data-playhead]') ?? [])
        mark.style.transform = shift
    },
    [axis],
  )
  useEffect(() => player.setScene({ ...axis, present, stops, draw }), [player, axis, present, stops, draw])
  const started = useRef(false)
  useEffect(() => {
    if (!started.current && initial !== undefined) player.seek(initial)
    started.current = true
  }, [player, initial])
  useEffect(() => () => player.stop(), [player])
  return { player, state, stage }
}
