'use client'
import { useMemo, useState } from 'react'
import type { WorkloadView } from '@/lib/view/model'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useRoving } from '../picture/use-roving'
import { useTextures } from '../picture/use-textures'
import { useWidth } from '../picture/use-width'
import { Link } from '../ui/link'
import { ArcLines, Badges } from './arcs'
import { BlockTile } from './block-tile'
import { clusterSentence } from './cluster-sentence'
import type { RegionPicture } from './federation'
import { bundleFlows, type Flow } from './flows'
import { layoutFederation, neighbour } from './layout'
import { LoadTile } from './load-tile'
import { type Lit, litWords } from './lit-words'
import { RegionBox, RegionLabel } from './region-label'
import { ReplicaBlocks } from './replica-blocks'
import { routeFlows } from './routes'

interface FederationPictureProps {
  regions: readonly RegionPicture[]
  flows: readonly Flow[]
  workloads: ReadonlyMap<string, WorkloadView>
  /** Where a region is enlarged; undefined while one is, or where there is one only. */
  zoom: ((region: string) => string) | undefined
}

/** Regions, clusters, and replicas on their way between them. Every mark is a link with a sentence as its name. */
export function FederationPicture({ regions, flows, workloads, zoom }: FederationPictureProps) {
  const text = useText()
  const [frame, width] = useWidth<HTMLDivElement>()
  const layout = useMemo(() => layoutFederation(regions, Math.max(width, 240)), [regions, width])
  const { drawn, rest } = useMemo(() => bundleFlows(flows), [flows])
  const routes = useMemo(() => routeFlows(layout, drawn), [layout, drawn])
  const textures = useTextures()
  const focus = useRoving(layout.tiles.length, (from, key) => neighbour(layout.tiles, from, key))
  const [pointed, setLit] = useState<Lit>()
  // An arc that ends under the pointer sends no event.
  const lit = pointed && 'flow' in pointed && !flows.some((flow) => isSame(flow, pointed.flow)) ? undefined : pointed
  const litIds = useMemo(() => lit && new Set('flow' in lit ? lit.flow.workloads : [lit.workload]), [lit])
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
          data-nodes={layout.nodeScale}
          className="block"
          onPointerLeave={() => setLit(undefined)}
        >
          {textures.defs}
          {layout.regions.map((region) => (
            <RegionBox key={`${region.x} ${region.y}`} region={region} zoom={zoom} />
          ))}
          <ArcLines
            routes={routes}
            lit={litIds}
            sentenceOf={(flow) => litWords(text, { flow }, workloads)}
            onLight={(flow) => setLit(flow && { flow })}
          />
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
          <ReplicaBlocks
            tiles={layout.tiles}
            textures={textures}
            lit={litIds}
            onLight={(workload) => setLit(workload === undefined ? undefined : { workload })}
          />
          {layout.regions.map((region) => (
            <RegionLabel key={`${region.x} ${region.y}`} region={region} density={layout.density} />
          ))}
          <Badges routes={routes} rest={rest} layout={layout} />
        </svg>
      )}
      {/* Reserves its space, so that the layout does not shift when text appears. */}
      <p className="min-h-5 truncate text-label font-normal" data-testid="lit">
        {lit ? litWords(text, lit, workloads) : ''}
      </p>
      <ul className="sr-only" aria-label={text('overview.federation.flows')} data-testid="flows">
        {flows.map((flow) => (
          <li
            key={`${flow.kind} ${flow.from} ${flow.to}`}
            data-flow={`${flow.from} ${flow.to}`}
            data-replicas={flow.replicas}
            data-kind={flow.kind}
          >
            {litWords(text, { flow }, workloads)}
          </li>
        ))}
      </ul>
    </div>
  )
}

const isSame = (one: Flow, other: Flow): boolean =>
  one.from === other.from && one.to === other.to && one.kind === other.kind
