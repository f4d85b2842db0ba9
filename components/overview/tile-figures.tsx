import { clsx } from 'clsx'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { cpuText } from './cluster-sentence'
import { cutTo } from './cut-to'
import type { TilePlace } from './places'

/** Name and ready replicas; state and CPU; the CPU as a bar. */
export function TileFigures({ tile: { x, y, width, height, picture } }: { tile: TilePlace }) {
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
        className={clsx(
          'text-[13px] font-semibold',
          cluster.ready !== 'True' && ready < desired ? 'fill-chart-lost' : 'fill-ink',
        )}
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
