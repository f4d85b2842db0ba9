'use client'
import { clsx } from 'clsx'
import { useText } from '../messages/use-text'
import type { CellView, WorkloadView } from '@/lib/view/model'
import { useTextures } from '../picture/use-textures'
import { BAR_WIDTH } from './columns'
import { barParts, tintOf } from './distribution'
import type { MatrixColumn } from './matrix-model'

const WIDTH = BAR_WIDTH - 16
const HEIGHT = 20
/** A part this wide has its number in it. */
const ROOM_FOR_NUMBER = 14

const TINTS = {
  dark: ['fill-amount-7', 'fill-paper'],
  middle: ['fill-amount-5', 'fill-ink'],
  pale: ['fill-amount-3', 'fill-ink'],
  other: ['fill-amount-4', 'fill-ink'],
} as const

const SWATCHES = { dark: 'bg-amount-7', middle: 'bg-amount-5', pale: 'bg-amount-3', other: 'bg-amount-4' } as const

interface BarProps {
  workload: WorkloadView
  columns: readonly MatrixColumn[]
  /** The replicas that fill the whole width: one scale for all rows. */
  most: number
}

/**
 * Shows the distribution of a workload's replicas in the order of the columns; the tick marks the desired number. The
 * cells contain the same figures.
 */
export function DistributionBar({ workload, columns, most }: BarProps) {
  const textures = useTextures()
  const cells = new Map<string, CellView>(workload.cells.map((cell) => [cell.cluster, cell]))
  const parts = workload.hasReplicas ? barParts(columns, cells, (WIDTH - 4) / most) : []
  const desired = 1 + (workload.desired * (WIDTH - 4)) / most
  return (
    <svg
      aria-hidden="true"
      data-testid="distribution-bar"
      width={WIDTH}
      height={HEIGHT}
      className="mr-auto block shrink-0"
    >
      {textures.defs}
      {parts.map(({ kind, cluster, at, x, width, replicas }) => {
        const [ground, ink] = TINTS[tintOf(at, columns.length)]
        const hasNumber = width >= ROOM_FOR_NUMBER
        const isLost = kind === 'unknown' && columns[at]?.cluster !== undefined && columns[at].cluster.ready !== 'True'
        return (
          <g key={`${cluster} ${kind}`} data-part={kind} data-replicas={replicas}>
            <rect
              x={1 + x}
              y={4}
              width={Math.max(1, width - 1)}
              height={HEIGHT - 8}
              fill={kind === 'starting' ? textures.fill('starting') : isLost ? textures.fill('lost') : undefined}
              className={clsx(
                kind === 'ready' && ground,
                kind === 'starting' && 'stroke-chart-starting',
                kind === 'unknown' && '[stroke-dasharray:3_2]',
                kind === 'unknown' && (isLost ? 'stroke-chart-lost' : 'fill-paper stroke-ink-2'),
              )}
            />
            {hasNumber && (
              <text
                x={1 + x + width / 2}
                y={14}
                textAnchor="middle"
                className={clsx(
                  'text-[11px]',
                  kind === 'ready' ? ink : 'fill-ink [paint-order:stroke] [stroke-width:4px]',
                  kind !== 'ready' && (isLost ? 'stroke-chart-lost-fill' : 'stroke-chart-starting-fill'),
                )}
              >
                {replicas}
              </text>
            )}
          </g>
        )
      })}
      {workload.hasReplicas && (
        <line x1={desired} x2={desired} y1={1} y2={HEIGHT - 1} strokeWidth="2" className="stroke-chart-limit" />
      )}
    </svg>
  )
}

/** Which tint is which cluster, where they are told apart. */
export function DistributionKey({ columns }: { columns: readonly MatrixColumn[] }) {
  const text = useText()
  const isDistinguished = tintOf(0, columns.length) !== 'other'
  return (
    <span className="flex h-4 min-w-0 items-center gap-2 font-normal text-ink-2">
      {text('workload.distribution')}
      {isDistinguished
        && columns.map(({ name, index }) => (
          <span key={name} className="flex min-w-0 items-center gap-1">
            <span
              aria-hidden="true"
              data-swatch
              className={clsx('size-2.5 shrink-0', SWATCHES[tintOf(index, columns.length)])}
            />
            <span className="max-w-24 truncate">{name}</span>
          </span>
        ))}
    </span>
  )
}
