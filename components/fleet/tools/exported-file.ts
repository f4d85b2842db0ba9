/** Downloads of what the page shows. */
import type { Text } from '@/lib/messages'
import { isoTime, type EpochMs } from '@/lib/std/clock'

/** `fleet-2026-11-23T041500.csv` */
export const fileName = (now: EpochMs, extension: string): string =>
  `fleet-${isoTime(now).slice(0, 19).replaceAll(':', '')}.${extension}`

const CAPTION = 32

/** The matrix as it is on screen, with its title and the time below. Resolves with undefined where there is none. */
export async function matrixPng(text: Text, now: EpochMs): Promise<Blob | undefined> {
  const marks = document.querySelector<HTMLCanvasElement>('[data-testid=heat-scroller] canvas')
  const picture = document.createElement('canvas')
  const context = picture.getContext('2d')
  if (marks === null || context === null) return undefined
  const ratio = window.devicePixelRatio
  picture.width = marks.width
  picture.height = marks.height + CAPTION * ratio
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body)
  context.fillStyle = backgroundColor
  context.fillRect(0, 0, picture.width, picture.height)
  context.drawImage(marks, 0, 0)
  context.scale(ratio, ratio)
  context.fillStyle = color
  context.font = `13px ${fontFamily}`
  context.fillText(text('fleetHeat.export.caption', { time: { moment: isoTime(now) } }), 20, marks.height / ratio + 21)
  return new Promise((resolve) => {
    picture.toBlob((blob) => resolve(blob ?? undefined), 'image/png')
  })
}
