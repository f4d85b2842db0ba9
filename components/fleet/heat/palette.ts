/** The colours and textures of components/picture for a canvas, which knows no style sheet. */

const NAMES = [
  'paper',
  'raised',
  'sunken',
  'ink',
  'ink-2',
  'line',
  'line-strong',
  'fail',
  'warn',
  'focus',
  'chosen',
  'amount-2',
  'amount-3',
  'amount-4',
  'amount-5',
  'amount-6',
  'amount-7',
  'chart-starting',
  'chart-starting-fill',
  'chart-lost',
  'chart-lost-fill',
  'chart-held',
  'chart-held-fill',
] as const

export type ColourName = (typeof NAMES)[number]

export interface Palette {
  colour: Readonly<Record<ColourName, string>>
  ramp: readonly string[]
  hatch: Readonly<Record<'starting' | 'lost' | 'held', CanvasPattern | string>>
  font: string
}

const HATCHES = {
  starting: { slope: 1, step: 6, width: 2.6 },
  lost: { slope: 1, step: 6, width: 1 },
  held: { slope: -1, step: 6, width: 2.6 },
}

/** Reads the tokens as they are in the theme that is shown; in forced colours, those that the user chose. */
export function readPalette(context: CanvasRenderingContext2D, scale: number): Palette {
  const probe = document.createElement('span')
  probe.style.setProperty('forced-color-adjust', 'none')
  probe.style.setProperty('display', 'none')
  document.body.append(probe)
  const colour = Object.fromEntries(
    NAMES.map((name) => {
      probe.style.color = `var(--${name})`
      return [name, getComputedStyle(probe).color]
    }),
  ) as Record<ColourName, string>
  const font = getComputedStyle(document.body).fontFamily
  probe.remove()
  const hatch = (name: keyof typeof HATCHES) => hatchOf(context, { name, colour, scale })
  return {
    colour,
    ramp: ([2, 3, 4, 5, 6, 7] as const).map((step) => colour[`amount-${step}`]),
    hatch: { starting: hatch('starting'), lost: hatch('lost'), held: hatch('held') },
    font,
  }
}

interface HatchOptions {
  name: keyof typeof HATCHES
  colour: Readonly<Record<ColourName, string>>
  scale: number
}

/** A tile that repeats without a seam; drawn in the pixels of the screen. */
function hatchOf(context: CanvasRenderingContext2D, { name, colour, scale }: HatchOptions): CanvasPattern | string {
  const { slope, step, width } = HATCHES[name]
  const size = Math.max(4, Math.round(step * scale))
  const tile = document.createElement('canvas')
  tile.width = size
  tile.height = size
  const inner = tile.getContext('2d')
  if (inner === null) return colour[`chart-${name}`]
  inner.fillStyle = colour[`chart-${name}-fill`]
  inner.fillRect(0, 0, size, size)
  inner.strokeStyle = colour[`chart-${name}`]
  inner.lineWidth = (width * scale) / Math.SQRT2
  for (const shift of [-size, 0, size]) {
    inner.beginPath()
    inner.moveTo(shift - size, slope > 0 ? 2 * size : -size)
    inner.lineTo(shift + 2 * size, slope > 0 ? -size : 2 * size)
    inner.stroke()
  }
  const pattern = context.createPattern(tile, 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(1 / scale))
  return pattern ?? colour[`chart-${name}`]
}
