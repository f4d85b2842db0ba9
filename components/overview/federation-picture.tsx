'use client'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useTextures } from '../picture/use-textures'
import { useWidth } from '../picture/use-width'
import { Link } from '../ui/link'
import { ArcLines, Badges } from './arcs'
import { clusterSentence } from './cluster-sentence'
import type { RegionPicture } from './federation'
import { bundleFlows, type Flow } from './flows'
import { layoutFederation, neighbour, type TilePlace } from './layout'
import { RegionLabel } from './region-label'
import { routeFlows } from './routes'
import { BlockTile } from './block-tile'
import { LoadTile } from './load-tile'

/** Regions, clusters, and replicas on their way between them. Every cluster is a link with a sentence as its name. */
export function FederationPicture({ regions, flows }: { regions: readonly RegionPicture[]; flows: readonly Flow[] }) {
  const text = useText()
  const [frame, width] = useWidth<HTMLDivElement>()
  const layout = useMemo(() => layoutFederation(regions, Math.max(width, 240)), [regions, width])
  const { drawn, rest } = useMemo(() => bundleFlows(flows), [flows])
  const routes = useMemo(() => routeFlows(layout, drawn), [layout, drawn])
  const textures = useTextures()
  const focus = useRovingTile(layout.tiles)
  const Tile = layout.density === 'blocks' ? BlockTile : LoadTile
  return (
    <div ref={frame} className="min-w-0">
      {width > 0 && (
        <svg
          aria-label={text('overview.federation.keys')}
          width={layout.width}
          height={layout.height}
          data-testid="federation"
          data-density={layout.density}
          className="block"
        >
          {textures.defs}
          {layout.regions.map((region) => (
            <rect
              key={`${region.x} ${region.y}`}
              x={region.x}
              y={region.y}
              width={region.width}
              height={region.height}
              rx="8"
              className="fill-raised"
            />
          ))}
          <ArcLines routes={routes} />
          {layout.tiles.map((tile, index) => (
            <Link
              key={tile.picture.cluster.name}
              href={href.cluster(tile.picture.cluster.name)}
              aria-label={clusterSentence(text, tile.picture)}
              data-testid="cluster-tile"
              data-cluster={tile.picture.cluster.name}
              data-state={tile.picture.cluster.state.state}
              data-ready={tile.picture.ready}
              data-desired={tile.picture.desired}
              data-starting={tile.picture.starting}
              {...focus.propsOf(index)}
            >
              <Tile tile={tile} layout={layout} textures={textures} />
            </Link>
          ))}
          {layout.regions.map((region) => (
            <RegionLabel key={`${region.x} ${region.y}`} region={region} density={layout.density} />
          ))}
          <Badges routes={routes} rest={rest} layout={layout} />
        </svg>
      )}
      <ul className="sr-only" aria-label={text('overview.federation.flows')} data-testid="flows">
        {flows.map(({ from, to, kind, replicas }) => (
          <li key={`${kind} ${from} ${to}`} data-flow={`${from} ${to}`} data-replicas={replicas} data-kind={kind}>
            {text('overview.federation.arc', { from, to, kind, replicas })}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** One tile is in the order of the Tab key; arrows move to the nearest in their direction. */
function useRovingTile(tiles: readonly TilePlace[]) {
  const [current, setCurrent] = useState(0)
  const links = useRef(new Map<number, HTMLElement>())
  const inOrder = Math.min(current, tiles.length - 1)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    if (!event.key.startsWith('Arrow')) return
    event.preventDefault()
    const next = neighbour(tiles, index, event.key)
    setCurrent(next)
    links.current.get(next)?.focus()
  }
  return {
    propsOf: (index: number) => ({
      ref: (link: HTMLAnchorElement | null) => {
        if (link === null) links.current.delete(index)
        else links.current.set(index, link)
      },
      tabIndex: index === inOrder ? 0 : -1,
      onFocus: () => setCurrent(index),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, index),
    }),
  }
}
