import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import type { RegionPicture } from './federation'
import type { Flow } from './flows'
import { densityOf } from './layout'

/** Explains the marks that occur in this picture. */
export function PictureLegend({ regions, flows }: { regions: readonly RegionPicture[]; flows: readonly Flow[] }) {
  const text = useText()
  const clusters = regions.flatMap((region) => region.clusters)
  const hasBlocks = densityOf(regions) === 'blocks'
  const blocks = clusters.flatMap(({ nodes, blocks: all }) => nodes?.flatMap((node) => node.blocks) ?? all)
  const kinds = new Set(blocks.filter(({ workload }) => workload !== undefined).map(({ kind }) => kind))
  const hasFlow = (kind: Flow['kind']) => flows.some((flow) => flow.kind === kind)
  const isDown = clusters.some(({ cluster }) => cluster.ready !== 'True')
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-label font-normal text-ink-2">
      {hasBlocks && kinds.has('ready') && <Entry swatch="bg-chart-ready">{text('overview.legend.ready')}</Entry>}
      {kinds.has('recovered') && <Entry swatch="bg-chart-recovered">{text('overview.legend.recovered')}</Entry>}
      {clusters.some(({ starting }) => starting > 0) && (
        <Entry swatch="hatch-starting">{text('overview.legend.starting')}</Entry>
      )}
      {isDown && (
        <Entry swatch="hatch-lost border border-dashed border-chart-lost">{text('overview.legend.lost')}</Entry>
      )}
      {kinds.has('failed') && <Entry swatch="border-2 border-fail">{text('overview.legend.failed')}</Entry>}
      {hasBlocks && blocks.some(({ workload }) => workload === undefined) && (
        <Entry swatch="border border-line bg-sunken">{text('overview.legend.other')}</Entry>
      )}
      {kinds.has('leaving') && (
        <Entry swatch="border border-dashed border-line-strong bg-sunken">{text('overview.legend.leaving')}</Entry>
      )}
      {clusters.some(({ cluster }) => cluster.state.state === 'held') && (
        <Entry mark={<StateGlyph state="held" />}>{text('overview.legend.held')}</Entry>
      )}
      {hasFlow('failover') && <Entry swatch="h-0.5! bg-active">{text('overview.legend.failover')}</Entry>}
      {hasFlow('rebalance') && (
        <Entry swatch="h-0! border-t-2 border-dashed border-ink-2">{text('overview.legend.rebalance')}</Entry>
      )}
    </ul>
  )
}

function Entry({ swatch, mark, children }: { swatch?: string; mark?: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      {mark ?? <span data-swatch aria-hidden="true" className={clsx('h-3 w-4 rounded-[2px]', swatch)} />}
      {children}
    </li>
  )
}
