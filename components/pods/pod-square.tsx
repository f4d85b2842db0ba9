import type { PodMark } from '@/lib/view/member-model'
import type { Texture } from '../picture/use-textures'

const TEXTURES: Partial<Record<PodMark, Texture>> = {
  starting: 'starting',
  notReady: 'starting',
  failed: 'lost',
  leaving: 'held',
}

interface SquareProps {
  mark: PodMark
  x: number
  y: number
  size: number
  fill: (texture: Texture) => string
}

/** A pod as a square: its texture says in which state it is. */
export function PodSquare({ mark, x, y, size, fill }: SquareProps) {
  const texture = TEXTURES[mark]
  const isFailed = mark === 'failed'
  return (
    <rect
      x={x + 0.5}
      y={y + 0.5}
      width={size - 1}
      height={size - 1}
      rx={size > 12 ? 3 : 1}
      {...(texture ? { fill: fill(texture) } : { className: 'fill-amount-4' })}
      strokeWidth={1}
      {...(texture && { className: `stroke-chart-${texture === 'lost' ? 'lost' : texture}` })}
      {...((isFailed || mark === 'leaving') && { strokeDasharray: '3 2' })}
      {...(mark === 'completed' && { fillOpacity: 0.45 })}
    />
  )
}
