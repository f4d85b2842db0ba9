import { clsx } from 'clsx'
import { useText } from '../messages/use-text'
import type { useTextures } from '../picture/use-textures'
import { StateGlyph } from '../status/state-glyph'
import { cutTo } from './cut-to'
import type { FederationLayout, Frame, TilePlace } from './places'
import { TileFigures } from './tile-figures'

export interface TileProps {
  tile: TilePlace
  layout: FederationLayout
  textures: ReturnType<typeof useTextures>
}

/** A cluster whose replicas are blocks: frames for them to stand in, with its name, its figures and its CPU below. */
export function BlockTile({ tile, textures }: TileProps) {
  const { x, y, width, height, picture, frames = [] } = tile
  const isDown = picture.cluster.ready !== 'True'
  return (
    <>
      {/* The whole tile is the link, also where no node stands. */}
      <rect x={x} y={y} width={width} height={height} fill="transparent" />
      {frames.map((frame) => (
        <NodeFrame key={frame.x} frame={frame} isDown={isDown} textures={textures} />
      ))}
      <line x1={x - 3} x2={x + width + 3} y1={y + height} y2={y + height} className="stroke-line-strong" />
      <TileFigures tile={tile} />
    </>
  )
}

const FRAMES = { ok: 'stroke-line-strong', held: 'stroke-chart-held', fail: 'stroke-chart-lost' } as const

interface NodeFrameProps extends Pick<TileProps, 'textures'> {
  frame: Frame
  isDown: boolean
}

function NodeFrame({ frame, isDown, textures }: NodeFrameProps) {
  const { x, y, width, height, node } = frame
  const state = isDown ? 'fail' : (node?.state ?? 'ok')
  return (
    <g data-node={node?.name}>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="3"
        fill={state === 'ok' ? undefined : textures.fill(state === 'held' ? 'held' : 'lost')}
        className={clsx(state === 'ok' && 'fill-paper', FRAMES[state])}
        strokeWidth={state === 'ok' ? 1 : 1.5}
      />
      {node && !isDown && <NodeHead frame={frame} node={node} />}
    </g>
  )
}

/** Widths that the words above a node need, at 11 px. */
const WIDE = 74
const NARROW = 30

function NodeHead({ frame: { x, y, width }, node }: { frame: Frame; node: NonNullable<Frame['node']> }) {
  const text = useText()
  const { state, requested, allocatable } = node
  if (width < NARROW) return null
  const percent = text.format.percent(requested, allocatable)
  const words =
    width < WIDE || state !== 'ok'
      ? percent
      : text('overview.federation.nodeCpu', { requested: { cpu: requested }, allocatable: { cpu: allocatable } })
  return (
    <>
      {state !== 'ok' && (
        <g transform={`translate(${x} ${y - 14})`}>
          <StateGlyph state={state} size={10} />
        </g>
      )}
      <text x={x + width / 2} y={y - 5} textAnchor="middle" className="fill-ink-2 text-[11px]">
        {cutTo(words, width + 8)}
      </text>
    </>
  )
}
