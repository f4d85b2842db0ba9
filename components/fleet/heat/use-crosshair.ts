'use client'
import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type Place, placeAt } from './hit'
import type { Geometry } from './layout'
import { useScrolled } from './use-heat-canvas'

/** The card waits until the pointer rests. */
const REST_MS = 120

interface CrosshairOptions {
  scroller: RefObject<HTMLElement | null>
  geometry: Geometry
  size: { width: number; height: number }
  /** Where the keyboard is, while it is in the grid. */
  keyboard: Place | undefined
  mark: (place: Place | undefined) => void
}

/** Follows the pointer without a render; only the card that it rests on is one. */
export function useCrosshair({ scroller, geometry, size, keyboard, mark }: CrosshairOptions) {
  const [card, setCard] = useState<Place | 'moving'>()
  const pointed = useRef<Place>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => mark(pointed.current ?? keyboard))
  useEffect(() => () => clearTimeout(timer.current), [])
  const leave = useCallback(() => {
    clearTimeout(timer.current)
    pointed.current = undefined
    setCard(undefined)
  }, [])
  useScrolled(scroller, leave)
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const place = placeOfEvent(event, { geometry, size })
    event.currentTarget.style.cursor = place === undefined ? '' : 'pointer'
    if (isSamePlace(place, pointed.current)) return
    pointed.current = place
    mark(place ?? keyboard)
    clearTimeout(timer.current)
    setCard(place === undefined ? undefined : 'moving')
    if (place !== undefined) timer.current = setTimeout(() => setCard(place), REST_MS)
  }
  const shown = card === undefined ? keyboard : card === 'moving' ? undefined : card
  return { shown, leave, events: { onPointerMove, onPointerLeave: leave } }
}

interface Pointed {
  geometry: Geometry
  size: { width: number; height: number }
}

/** What is under the pointer. */
export function placeOfEvent(
  event: { clientX: number; clientY: number; currentTarget: HTMLElement },
  { geometry, size }: Pointed,
): Place | undefined {
  const { currentTarget: element } = event
  const { left, top } = element.getBoundingClientRect()
  const view = { left: element.scrollLeft, top: element.scrollTop, ...size }
  return placeAt({ ...geometry, view }, { x: event.clientX - left, y: event.clientY - top })
}

const isSamePlace = (a: Place | undefined, b: Place | undefined): boolean =>
  a?.row === b?.row && a?.column === b?.column
