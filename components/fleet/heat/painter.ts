/** The two layers of the picture. Draws as little as is new: the rows that changed, or all when the view did. */
import type { Place } from './hit'
import { sameTracks } from './layout'
import { paintRows, type Scene } from './paint'
import type { Brush } from './paint-cell'
import { paintCrosshair } from './paint-crosshair'
import { paintHeads } from './paint-heads'
import { type Palette, readPalette } from './palette'
import type { HeatRow } from './rows'
import type { Scale } from './scale'

interface Layers {
  marks: HTMLCanvasElement
  cross: HTMLCanvasElement
}

interface Drawn {
  scene: Scene
  scale: Scale
  rows: Map<number, HeatRow>
}

export class HeatPainter {
  readonly #marks: CanvasRenderingContext2D
  readonly #cross: CanvasRenderingContext2D
  #palette: { theme: number; colours: Palette } | undefined
  #drawn: Drawn | undefined

  /** Undefined where the browser has no canvas. */
  static on({ marks, cross }: Layers): HeatPainter | undefined {
    const [below, above] = [marks.getContext('2d', { alpha: false }), cross.getContext('2d')]
    return below && above ? new HeatPainter(below, above) : undefined
  }

  private constructor(marks: CanvasRenderingContext2D, cross: CanvasRenderingContext2D) {
    this.#marks = marks
    this.#cross = cross
  }

  /** The colours of a theme, read once for each. */
  paletteOf(theme: number): Palette {
    if (this.#palette?.theme !== theme) {
      this.#palette = { theme, colours: readPalette(this.#marks, window.devicePixelRatio) }
      this.#drawn = undefined
    }
    return this.#palette.colours
  }

  draw(scene: Scene, { scale, theme }: { scale: Scale; theme: number }): void {
    const resized = this.#fit(scene)
    const brush = { context: this.#marks, palette: this.paletteOf(theme), scale }
    const before = !resized && isSameView(this.#drawn, { scene, scale }) ? this.#drawn : undefined
    const only = before && changedRows(before.rows, scene)
    const headsStay = !resized && this.#drawn !== undefined && hasSameHeads(this.#drawn.scene, scene)
    if (only?.size === 0 && headsStay) return
    if (before === undefined) this.#clearBelow(brush, scene)
    const rows = paintRows(brush, scene, only)
    if (!headsStay) paintHeads(brush, scene)
    this.#drawn = { scene, scale, rows }
  }

  crosshair(at: Place | undefined): void {
    if (this.#drawn === undefined || this.#palette === undefined) return
    const { scene, scale } = this.#drawn
    paintCrosshair({ context: this.#cross, palette: this.#palette.colours, scale }, scene, at)
  }

  /** Below the last row there is nothing. */
  #clearBelow({ context, palette }: Brush, { view, margins, rows }: Scene): void {
    const end = margins.heads + rows.height - view.top
    if (end >= view.height) return
    context.fillStyle = palette.colour.paper
    context.fillRect(0, end, view.width, view.height - end)
  }

  /** The canvases have the pixels of the screen. */
  #fit({ view }: Scene): boolean {
    const ratio = window.devicePixelRatio
    const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)]
    const { canvas } = this.#marks
    if (canvas.width === width && canvas.height === height) return false
    for (const context of [this.#marks, this.#cross]) {
      context.canvas.width = width
      context.canvas.height = height
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
    }
    return true
  }
}

function isSameView(drawn: Drawn | undefined, { scene, scale }: { scene: Scene; scale: Scale }): boolean {
  if (drawn === undefined || drawn.scale !== scale) return false
  const { scene: before } = drawn
  const { view } = scene
  return (
    sameTracks(before.columns, scene.columns)
    && sameTracks(before.rows, scene.rows)
    && before.columns.tracks.every(({ id }, index) => id === scene.columns.tracks[index]?.id)
    && before.margins === scene.margins
    && before.selected === scene.selected
    && before.gone === scene.gone
    && before.text === scene.text
    && before.view.left === view.left
    && before.view.top === view.top
  )
}

/** The columns with their clusters are the same objects as long as nothing about them changed. */
const hasSameHeads = (before: Scene, { columns, margins, text, view }: Scene): boolean =>
  before.columns === columns
  && before.margins === margins
  && before.text === text
  && before.view.left === view.left
  && before.view.width === view.width

function changedRows(drawn: ReadonlyMap<number, HeatRow>, { rowAt }: Scene): ReadonlySet<number> {
  return new Set([...drawn].filter(([index, row]) => rowAt(index) !== row).map(([index]) => index))
}
