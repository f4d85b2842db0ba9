import { clsx } from 'clsx'
import { useMemo } from 'react'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useRoving } from '../picture/use-roving'
import type { useTextures } from '../picture/use-textures'
import { Link } from '../ui/link'
import type { Block, BlockKind } from './blocks'
import { cutTo } from './cut-to'
import { neighbour } from './layout'
import type { BlockPlace, TilePlace } from './places'

interface ReplicaBlocksProps {
  tiles: readonly TilePlace[]
  textures: ReturnType<typeof useTextures>
  /** Workloads that are pointed at; undefined: none is. */
  lit: ReadonlySet<string> | undefined
  onLight: (workload: string | undefined) => void
}

/** All replicas that are blocks. Each is a link to its workload; one of them is in the order of the Tab key. */
export function ReplicaBlocks({ tiles, textures, lit, onLight }: ReplicaBlocksProps) {
  const text = useText()
  const places = useMemo(() => placesOf(tiles), [tiles])
  const linked = useMemo(() => places.filter(({ block }) => block.workload !== undefined), [places])
  const roving = useRoving(linked.length, (from, key) => neighbour(linked, from, key))
  return (
    <g>
      {places.map((place) => {
        const { block, cluster, node } = place
        const { workload, name, kind } = block
        const key = `${cluster} ${block.id}`
        const isFaded = lit !== undefined && (workload === undefined || !lit.has(workload))
        const mark = <BlockMark place={place} textures={textures} isLit={lit !== undefined && !isFaded} />
        if (workload === undefined)
          return (
            <g key={key} className={isFaded ? 'opacity-25' : undefined}>
              <title>{text('overview.federation.otherPod', { name, cluster })}</title>
              {mark}
            </g>
          )
        const sentence = text('overview.federation.block', {
          workload: name,
          kind,
          cluster,
          onNode: node === undefined ? 'no' : 'yes',
          node: node ?? '',
        })
        return (
          <Link
            key={key}
            href={href.workload(workload)}
            aria-label={sentence}
            data-block={kind}
            data-workload={workload}
            data-lit={lit === undefined ? undefined : !isFaded}
            className={isFaded ? 'opacity-25' : undefined}
            onPointerEnter={() => onLight(workload)}
            onPointerLeave={() => onLight(undefined)}
            onBlur={() => onLight(undefined)}
            {...roving.propsOf(linked.indexOf(place), () => onLight(workload))}
          >
            {mark}
          </Link>
        )
      })}
    </g>
  )
}

interface PlaceOfReplica extends BlockPlace {
  cluster: string
  node: string | undefined
}

const placesOf = (tiles: readonly TilePlace[]): PlaceOfReplica[] =>
  tiles.flatMap(({ picture, frames = [] }) =>
    frames.flatMap(({ node, blocks }) =>
      blocks.map((place) => ({ ...place, cluster: picture.cluster.name, node: node?.name })),
    ),
  )

const BLOCK_CLASSES: Record<BlockKind, string> = {
  ready: 'fill-chart-ready',
  recovered: 'fill-chart-recovered',
  starting: 'stroke-chart-starting',
  failed: 'fill-paper stroke-fail stroke-2',
  lost: 'fill-paper stroke-chart-lost [stroke-dasharray:3_2]',
  unknown: 'fill-paper stroke-ink-2 [stroke-dasharray:3_2]',
  leaving: 'fill-sunken stroke-line-strong [stroke-dasharray:3_2]',
}
const OTHER = 'fill-sunken stroke-line'

const LABEL_CLASSES: Partial<Record<BlockKind, string>> = {
  recovered: 'fill-paper',
  lost: 'fill-chart-lost',
  starting: 'fill-ink stroke-chart-starting-fill [paint-order:stroke] [stroke-width:3px]',
}

interface BlockMarkProps extends Pick<ReplicaBlocksProps, 'textures'> {
  place: BlockPlace
  isLit: boolean
}

function BlockMark({ place, textures, isLit }: BlockMarkProps) {
  const { x, y, width, height } = place
  const { name, kind, workload }: Block = place.block
  const isOther = workload === undefined
  return (
    <>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="2"
        fill={kind === 'starting' && !isOther ? textures.fill('starting') : undefined}
        className={isOther ? OTHER : BLOCK_CLASSES[kind]}
      />
      {isLit && (
        <rect x={x} y={y} width={width} height={height} rx="2" fill="none" strokeWidth="2" className="stroke-ink" />
      )}
      {width > 16 && (
        <text
          x={x + 4}
          y={y + 11}
          className={clsx('text-[11px]', isOther ? 'fill-ink-2' : (LABEL_CLASSES[kind] ?? 'fill-ink'))}
        >
          {cutTo(name, width - 6)}
        </text>
      )}
    </>
  )
}
