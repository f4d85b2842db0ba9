import { clsx } from 'clsx'
import type { State } from '@/lib/view/model'
import { StateGlyph } from '../status/state-glyph'
import type { TileProps } from './block-tile'

const BORDERS: Partial<Record<State, string>> = {
  fail: 'stroke-chart-lost',
  unknown: 'stroke-ink-2 [stroke-dasharray:3_2]',
  warn: 'stroke-warn',
  held: 'stroke-chart-held',
}

/** Load from which on a fill is dark enough that its number is set in the colour of paper. */
const steps = ['fill-amount-3', 'fill-amount-4', 'fill-amount-5', 'fill-amount-6'] as const
const stepOf = (load: number): number => (load < 0.4 ? 0 : load < 0.65 ? 1 : load < 0.85 ? 2 : 3)

/** A cluster as a tile: its height is its capacity, its fill what is requested of it, hatched on top what arrives. */
export function LoadTile({ tile, layout, textures }: TileProps) {
  const { x, y, width, height, picture, label } = tile
  const { cluster, load = 0, arriving, starting } = picture
  const { state } = cluster.state
  const isDown = cluster.ready !== 'True'
  const isHeld = state === 'held'
  const inner = height - 2
  const full = Math.min(1, load) * inner
  const extra = Math.min(1 - Math.min(1, load), Math.max(arriving, starting > 0 ? 0.08 : 0)) * inner
  const isException = state !== 'ok'
  return (
    <>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="4"
        fill={isDown ? textures.fill('lost') : undefined}
        className={clsx(!isDown && 'fill-paper', BORDERS[state] ?? 'stroke-line-strong')}
        strokeWidth={isException ? 2 : 1}
      />
      {!isDown && (
        <rect
          x={x + 1}
          y={y + height - 1 - full}
          width={width - 2}
          height={full}
          rx="2"
          fill={isHeld ? textures.fill('held') : undefined}
          className={isHeld ? undefined : steps[stepOf(load)]}
        />
      )}
      {!isDown && extra > 0 && (
        <rect
          x={x + 1}
          y={y + height - 1 - full - extra}
          width={width - 2}
          height={extra}
          fill={textures.fill('starting')}
        />
      )}
      {isException && (
        <g transform={`translate(${x + width / 2 - 6} ${y - 6})`}>
          <circle cx="6" cy="6" r="8" className="fill-raised" />
          <StateGlyph state={state} />
        </g>
      )}
      {layout.density === 'tiles' && (
        <>
          {!isDown && cluster.cpu !== undefined && (
            <text
              x={x + width / 2}
              y={y + height - 7}
              textAnchor="middle"
              className={clsx(
                'text-[11px] [paint-order:stroke]',
                stepOf(load) === 3 && !isHeld ? 'fill-paper' : 'fill-ink',
                isHeld && 'stroke-chart-held-fill [stroke-width:4px]',
              )}
            >
              {Math.round(load * 100)}
            </text>
          )}
          <text
            x={x + width / 2}
            y={y + height + 13}
            textAnchor="middle"
            className={clsx('text-[11px]', isException ? 'fill-ink font-semibold' : 'fill-ink-2')}
          >
            {label}
          </text>
        </>
      )}
    </>
  )
}
