import { clsx } from 'clsx'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useRoving } from '../picture/use-roving'
import { Link } from '../ui/link'
import type { DrawnFlows, Flow } from './flows'
import type { FederationLayout } from './places'
import type { Route } from './routes'

interface ArcLinesProps {
  routes: readonly Route[]
  lit: ReadonlySet<string> | undefined
  sentenceOf: (flow: Flow) => string
  onLight: (flow: Flow | undefined) => void
}

/** Failovers are solid, rebalances dashed; dots run towards the target. Each is a link to the page that follows it. */
export function ArcLines({ routes, lit, sentenceOf, onLight }: ArcLinesProps) {
  const roving = useRoving(routes.length)
  return (
    <g fill="none" strokeLinecap="round">
      {routes.map(({ flow, path, end }, index) => {
        const { from, to, kind, replicas, workloads } = flow
        const isFaded = lit !== undefined && !workloads.some((id) => lit.has(id))
        return (
          <Link
            key={`${kind} ${from} ${to}`}
            href={kind === 'failover' ? href.incident({ cluster: from }) : '/rebalancers'}
            aria-label={sentenceOf(flow)}
            data-arc={`${from} ${to}`}
            data-kind={kind}
            className={clsx('animate-overlay', isFaded && 'opacity-25')}
            onPointerEnter={() => onLight(flow)}
            onPointerLeave={() => onLight(undefined)}
            onBlur={() => onLight(undefined)}
            {...roving.propsOf(index, () => onLight(flow))}
          >
            <path d={path} strokeWidth="14" stroke="transparent" pointerEvents="stroke" />
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
          </Link>
        )
      })}
    </g>
  )
}

interface BadgesProps {
  routes: readonly Route[]
  rest: DrawnFlows['rest']
  layout: FederationLayout
}

/** Shows the number of replicas at the end of an arc; rendered last, so that no part covers it. */
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
