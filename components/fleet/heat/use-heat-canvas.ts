'use client'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useText } from '../../messages/use-text'
import type { MatrixRow } from '../matrix-model'
import type { Place } from './hit'
import type { Geometry } from './layout'
import type { View } from './paint'
import { HeatPainter } from './painter'
import { useCanvasTheme } from './use-canvas-theme'
import type { Heat } from './use-heat'

export interface HeatLayers {
  scroller: RefObject<HTMLDivElement | null>
  marks: RefObject<HTMLCanvasElement | null>
  cross: RefObject<HTMLCanvasElement | null>
}

interface CanvasOptions {
  layers: HeatLayers
  geometry: Geometry
  /** Of the canvas. */
  size: { width: number; height: number }
  rows: readonly MatrixRow[]
  heat: Heat
  selected: ReadonlySet<string>
  gone: ReadonlySet<string>
}

/** Draws on two canvases: at each render what changed, at each scroll all that shows, once in a frame. Returns what moves the crosshair. */
export function useHeatCanvas(options: CanvasOptions): (place: Place | undefined) => void {
  const { layers, geometry, size, rows, heat, selected, gone } = options
  const { scroller, marks, cross } = layers
  const text = useText()
  const theme = useCanvasTheme()
  const painter = useRef<HeatPainter>(undefined)
  const marked = useRef<Place>(undefined)
  const draw = (): void => {
    const element = scroller.current
    if (element === null || size.width === 0 || size.height === 0) return
    if (marks.current && cross.current)
      painter.current ??= HeatPainter.on({ marks: marks.current, cross: cross.current })
    const rowAt = (index: number) => heat.rows.of(rows[index]!)
    const scene = { ...geometry, rowAt, view: viewOf(element, size), text, selected, gone }
    painter.current?.draw(scene, { scale: heat.scale, theme })
    painter.current?.crosshair(marked.current)
  }
  useLayoutEffect(draw)
  useScrolled(scroller, draw)
  return useCallback((place: Place | undefined) => {
    marked.current = place
    painter.current?.crosshair(place)
  }, [])
}

const viewOf = (element: HTMLElement, size: { width: number; height: number }): View => ({
  left: element.scrollLeft,
  top: element.scrollTop,
  ...size,
})

/** Calls once in a frame in which something scrolled. */
export function useScrolled(scroller: RefObject<HTMLElement | null>, onScroll: () => void): void {
  const latest = useRef(onScroll)
  useLayoutEffect(() => {
    latest.current = onScroll
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let frame = 0
    const scrolled = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        latest.current()
      })
    }
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('scroll', scrolled)
    }
  }, [scroller])
}
