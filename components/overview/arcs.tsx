import { clsx } from 'clsx'
import { useText } from '../messages/use-text'
import type { DrawnFlows } from './flows'
import type { FederationLayout } from './layout'
import type { Route } from './routes'

/** Failovers are solid, rebalances dashed; dots run towards the target. */
export function ArcLines({ routes }: { routes: readonly Route[] }) {
  return (
    <g aria-hidden="true" fill="none" strokeLinecap="round">
      {routes.map(({ flow: { from, to, kind, replicas }, path, end }) => (
        <g key={`${kind} ${from} ${to}`} data-arc={`${from} ${to}`} data-kind={kind} className="animate-overlay">
          <path
            d={path}
            strokeWidth={Math.min(5, 1.5 + Math.log2(replicas))}
            className={kind === 'failover' ? 'stroke-active' : 'stroke-ink-2 [stroke-dasharray:5_5]'}
          />
          {kind === 'failover' && (
            <path d={path} strokeWidth="7" className="animate-flow stroke-active [stroke-dasharray:0.1_26]" />
          )}
          <path
            d={`M${end.x - 5} ${end.y - 7}L${end.x} ${end.y}L${end.x + 5} ${end.y - 7}z`}
            className={kind === 'failover' ? 'fill-active' : 'fill-ink-2'}
          />
        </g>
      ))}
    </g>
  )
}

interface BadgesProps {
  routes: readonly Route[]
  rest: DrawnFlows['rest']
  layout: FederationLayout
}

/** How many replicas an arc carries, where it comes down; drawn last, so that nothing lies over it. */
export function Badges({ routes, rest, layout }: BadgesProps) {
  const text = useText()
  const tiles = new Map(layout.tiles.map((tile) => [tile.picture.cluster.name, tile]))
  const byTarget = Map.groupBy(routes, ({ flow }) => flow.to)
  return (
    <g aria-hidden="true">
      {[...byTarget].map(([to, arriving]) => (
        <Badge
          key={to}
          at={arriving[0]!.badge}
          strong={arriving.some(({ flow }) => flow.kind === 'failover')}
          label={text('overview.federation.badge', { n: arriving.reduce((sum, { flow }) => sum + flow.replicas, 0) })}
        />
      ))}
      {rest.map(({ from, replicas, clusters }) => {
        const tile = tiles.get(from)
        if (tile === undefined) return null
        const label = text('overview.federation.more', { n: replicas, from, clusters })
        const x = Math.min(Math.max(tile.x + tile.width / 2, 110), layout.width - 110)
        return <Badge key={from} at={{ x, y: tile.y - 26 }} label={label} strong />
      })}
    </g>
  )
}

function Badge({ at: { x, y }, label, strong }: { at: { x: number; y: number }; label: string; strong: boolean }) {
  const width = label.length * 6.6 + 14
  return (
    <g>
      <rect
        x={x - width / 2}
        y={y - 9}
        width={width}
        height="18"
        rx="9"
        className={clsx('fill-paper', strong ? 'stroke-active' : 'stroke-ink-2')}
      />
      <text x={x} y={y + 4} textAnchor="middle" className="fill-ink text-[12px] font-medium">
        {label}
      </text>
    </g>
  )
}
