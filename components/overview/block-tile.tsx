import { clsx } from 'clsx'
import { useText } from '../messages/use-text'
import type { useTextures } from '../picture/use-textures'
import { StateGlyph } from '../status/state-glyph'
import { cpuText } from './cluster-sentence'
import type { Block } from './federation'
import { BLOCK, type FederationLayout, type TilePlace } from './layout'

export interface TileProps {
  tile: TilePlace
  layout: FederationLayout
  textures: ReturnType<typeof useTextures>
}

/** A cluster whose replicas are blocks, with its name, its figures and its CPU below. */
export function BlockTile({ tile, layout, textures }: TileProps) {
  const { x, y, width, height, picture } = tile
  const { cluster, blocks } = picture
  const isDown = cluster.ready !== 'True'
  const columnWidth = (width - BLOCK.gap) / layout.blockColumns
  const rowsNeeded = Math.ceil(blocks.length / layout.blockColumns)
  return (
    <>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="4"
        fill={isDown ? textures.fill('lost') : undefined}
        className={clsx(isDown ? 'stroke-chart-lost' : 'fill-paper stroke-line-strong')}
        strokeWidth={isDown ? 1.5 : 1}
      />
      {blocks.map((block, index) => {
        const column = Math.floor(index / Math.max(rowsNeeded, 1))
        const row = index % Math.max(rowsNeeded, 1)
        return (
          <ReplicaBlock
            key={block.id}
            block={block}
            x={x + BLOCK.gap + column * columnWidth}
            y={y + height - (row + 1) * (BLOCK.height + BLOCK.gap)}
            width={columnWidth - BLOCK.gap}
            fill={block.kind === 'starting' ? textures.fill('starting') : undefined}
          />
        )
      })}
      <Figures tile={tile} />
    </>
  )
}

const BLOCK_CLASSES: Record<Block['kind'], string> = {
  ready: 'fill-chart-ready',
  recovered: 'fill-chart-recovered',
  starting: 'stroke-chart-starting',
  lost: 'fill-paper stroke-chart-lost [stroke-dasharray:3_2]',
  unknown: 'fill-paper stroke-ink-2 [stroke-dasharray:3_2]',
  leaving: 'fill-sunken stroke-line-strong [stroke-dasharray:3_2]',
}

const LABEL_CLASSES: Partial<Record<Block['kind'], string>> = {
  recovered: 'fill-paper',
  lost: 'fill-chart-lost',
  starting: 'fill-ink stroke-chart-starting-fill [paint-order:stroke] [stroke-width:3px]',
}

interface ReplicaBlockProps {
  block: Block
  x: number
  y: number
  width: number
  fill: string | undefined
}

function ReplicaBlock({ block: { name, kind }, x, y, width, fill }: ReplicaBlockProps) {
  return (
    <g data-block={kind}>
      <rect x={x} y={y} width={width} height={BLOCK.height} rx="2" fill={fill} className={BLOCK_CLASSES[kind]} />
      <text x={x + 5} y={y + 11} className={clsx('text-[11px]', LABEL_CLASSES[kind] ?? 'fill-ink')}>
        {cutTo(name, width - 8)}
      </text>
    </g>
  )
}

/** A name as far as it fits in a width; letters of the 11 px label are 6 px wide on average. */
export function cutTo(name: string, width: number, letter = 6): string {
  const most = Math.floor(width / letter)
  return name.length <= most ? name : `${name.slice(0, Math.max(0, most - 1))}…`
}

/** Name and ready replicas; state and CPU; the CPU as a bar. */
function Figures({ tile: { x, y, width, height, picture } }: Pick<TileProps, 'tile'>) {
  const text = useText()
  const { cluster, ready, desired, starting, load } = picture
  const base = y + height
  const readyText = text('overview.federation.readyOf', { ready, desired })
  const cpu = cpuText(text, cluster)
  const state = starting > 0 ? text('overview.federation.starting', { n: starting }) : text.of(cluster.state.reason)
  return (
    <>
      <g transform={`translate(${x} ${base + 9})`}>
        <StateGlyph state={starting > 0 && cluster.ready === 'True' ? 'active' : cluster.state.state} />
      </g>
      <text x={x + 18} y={base + 19} className="fill-ink text-[13px] font-semibold">
        {cutTo(cluster.name, width - 26 - readyText.length * 7, 7.5)}
      </text>
      <text
        x={x + width}
        y={base + 19}
        textAnchor="end"
        className={clsx('text-[13px] font-semibold', ready < desired ? 'fill-chart-lost' : 'fill-ink')}
      >
        {readyText}
      </text>
      <text x={x + 18} y={base + 37} className="fill-ink-2 text-[12px]">
        {cutTo(state, width - 26 - cpu.length * 6.5, 6.5)}
      </text>
      <text x={x + width} y={base + 37} textAnchor="end" className="fill-ink-2 text-[12px]">
        {cpu}
      </text>
      <rect x={x} y={base + 45} width={width} height="5" rx="1" className="fill-sunken" />
      {load !== undefined && cluster.ready === 'True' && (
        <rect x={x} y={base + 45} width={Math.min(1, load) * width} height="5" rx="1" className="fill-amount-5" />
      )}
      <line
        x1={x + width}
        x2={x + width}
        y1={base + 43}
        y2={base + 52}
        strokeWidth="1.5"
        className="stroke-chart-limit"
      />
    </>
  )
}
