'use client'
import { type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { useText } from '../../messages/use-text'
import type { MatrixColumn, MatrixRow } from '../matrix-model'
import type { Scroller } from './props'
import type { Geometry } from './layout'
import { frameOf, minimapLevels, offsetAt, workloadsBefore, workloadsOf } from './minimap-model'
import { readPalette } from './palette'
import { useCanvasTheme } from './use-canvas-theme'
import type { Heat } from './use-heat'
import { useScrolled } from './use-heat-canvas'
import { useRoom } from './use-room'

interface MinimapProps {
  rows: readonly MatrixRow[]
  /** All clusters, in order. */
  columns: readonly MatrixColumn[]
  geometry: Geometry
  heat: Heat
  scroller: Scroller
}

/** All workloads in one look; the frame is what shows. For the pointer: the keyboard has Page Down. */
export function Minimap(props: MinimapProps) {
  const { rows, geometry, scroller } = props
  const text = useText()
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const size = useRoom(box)
  const before = useMemo(() => workloadsBefore(rows), [rows])
  const picture = useMinimapPicture(props, size)
  const place = (): void => {
    if (scroller.current && frame.current) placeFrame(frame.current, scroller.current, { before, geometry, size })
  }
  useLayoutEffect(place)
  useScrolled(scroller, place)
  const onPoint = (event: PointerEvent<HTMLElement>) => {
    if (scroller.current === null || event.buttons === 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const part = (event.clientY - event.currentTarget.getBoundingClientRect().top) / Math.max(1, size.height)
    const room = scroller.current.clientHeight - geometry.margins.heads
    scroller.current.scrollTo({ top: offsetAt(before, geometry.rows, { part, room }) })
  }
  return (
    <div aria-hidden="true" className="flex w-24 shrink-0 flex-col border-l border-line px-2 pt-2 pb-3 max-wide:hidden">
      <p className="pb-1 text-micro text-ink-2">{text('fleetHeat.minimap', { n: before.at(-1) ?? 0 })}</p>
      <div
        ref={box}
        className="relative min-h-0 grow touch-none overflow-hidden bg-raised"
        data-testid="heat-minimap"
        onPointerDown={onPoint}
        onPointerMove={onPoint}
      >
        <canvas ref={picture} className="absolute inset-0 size-full [image-rendering:pixelated]" />
        <div ref={frame} className="absolute inset-x-0 border-2 border-ink" />
      </div>
    </div>
  )
}

interface Framed {
  before: Float64Array
  geometry: Geometry
  size: { height: number }
}

function placeFrame(frame: HTMLElement, scroller: HTMLElement, { before, geometry, size }: Framed): void {
  const room = scroller.clientHeight - geometry.margins.heads
  const { from, to } = frameOf(before, geometry.rows, { offset: scroller.scrollTop, room })
  frame.style.top = `${from * size.height}px`
  frame.style.height = `${Math.max(6, (to - from) * size.height)}px`
}

function useMinimapPicture({ rows, columns, heat }: MinimapProps, size: { width: number; height: number }) {
  const picture = useRef<HTMLCanvasElement>(null)
  const theme = useCanvasTheme()
  useLayoutEffect(() => {
    const element = picture.current
    const { width, height } = size
    if (element === null || width === 0 || height === 0) return
    const workloads = workloadsOf(rows).map((row) => heat.rows.of(row))
    const places = new Map(columns.map(({ name }, index) => [name, index]))
    const levels = minimapLevels({ workloads, places, scale: heat.scale, width, height })
    element.width = width
    element.height = height
    drawLevels(element, levels, theme)
  }, [rows, columns, heat, size, theme])
  return picture
}

function drawLevels(element: HTMLCanvasElement, levels: Uint8Array, theme: number): void {
  const context = element.getContext('2d')
  if (context === null) return
  const colours = coloursOf(context, theme)
  const image = context.createImageData(element.width, element.height)
  for (const [index, level] of levels.entries()) {
    if (level > 0) image.data.set(colours[level - 1] ?? colours.at(-1)!, index * 4)
  }
  context.putImageData(image, 0, 0)
}

let known: { theme: number; colours: Uint8ClampedArray[] } | undefined

/** The colours of the levels; read once for each theme. */
function coloursOf(context: CanvasRenderingContext2D, theme: number): Uint8ClampedArray[] {
  if (known?.theme !== theme) {
    const { ramp, colour } = readPalette(context, 1)
    known = { theme, colours: rgbOf([...ramp, colour['chart-starting'], colour.warn, colour.fail]) }
  }
  return known.colours
}

function rgbOf(colours: readonly string[]): Uint8ClampedArray[] {
  const probe = document.createElement('canvas')
  probe.width = colours.length
  probe.height = 1
  const context = probe.getContext('2d', { willReadFrequently: true })!
  for (const [index, colour] of colours.entries()) {
    context.fillStyle = colour
    context.fillRect(index, 0, 1, 1)
  }
  return colours.map((_, index) => context.getImageData(index, 0, 1, 1).data)
}
