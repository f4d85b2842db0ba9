'use client'
import { type ReactNode, useId } from 'react'

/** What a block of a picture is while it is not simply ready. */
export type Texture = 'starting' | 'lost' | 'held'

interface Textures {
  /** Goes into the SVG that uses them. */
  defs: ReactNode
  /** The value of `fill` for a texture. */
  fill: (texture: Texture) => string
}

/** The angle, the distance and the width of the lines: they differ without colour, too. */
const LINES: Record<Texture, { angle: number; step: number; width: number }> = {
  starting: { angle: 45, step: 5, width: 2.4 },
  lost: { angle: 45, step: 6, width: 1 },
  held: { angle: -45, step: 5, width: 2.4 },
}

const COLOURS: Record<Texture, { line: string; ground: string }> = {
  starting: { line: 'stroke-chart-starting', ground: 'fill-chart-starting-fill' },
  lost: { line: 'stroke-chart-lost', ground: 'fill-chart-lost-fill' },
  held: { line: 'stroke-chart-held', ground: 'fill-chart-held-fill' },
}

const TEXTURES = Object.keys(LINES) as Texture[]

/** The hatches of one SVG, under ids of its own. */
export function useTextures(): Textures {
  const id = useId()
  const nameOf = (texture: Texture): string => `${id}-${texture}`
  return {
    fill: (texture) => `url(#${nameOf(texture)})`,
    defs: (
      <defs>
        {TEXTURES.map((texture) => (
          <Hatch key={texture} id={nameOf(texture)} texture={texture} />
        ))}
      </defs>
    ),
  }
}

function Hatch({ id, texture }: { id: string; texture: Texture }) {
  const { angle, step, width } = LINES[texture]
  const { line, ground } = COLOURS[texture]
  return (
    <pattern id={id} width={step} height={step} patternUnits="userSpaceOnUse" patternTransform={`rotate(${angle})`}>
      <rect width={step} height={step} className={ground} />
      <path d={`M${step / 2} 0v${step}`} strokeWidth={width} className={line} />
    </pattern>
  )
}
