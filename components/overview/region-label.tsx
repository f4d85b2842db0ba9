import { useText } from '../messages/use-text'
import { Link } from '../ui/link'
import { cutTo } from './cut-to'
import type { Density, RegionPlace } from './places'

/** The name of a region and its ready replicas, below its clusters: arcs come from above. */
export function RegionLabel({ region, density }: { region: RegionPlace; density: Density }) {
  const text = useText()
  const { x, y, width, height, name, ready, desired } = region
  const readyText = text('overview.federation.readyOf', { ready, desired })
  const shown = name === '' ? text('overview.federation.noRegion') : name
  const base = y + height - 10
  if (density === 'blocks')
    return (
      <text x={x + 28} y={base + 2} className="fill-ink-2 text-[12px]">
        {cutTo(name === '' ? shown : text('overview.federation.region', { region: name }), width - 40, 6.5)}
      </text>
    )
  return (
    <>
      <text x={x + 10} y={base} className="fill-ink text-[12px] font-semibold">
        {cutTo(shown, width - 26 - readyText.length * 6.5, 7)}
      </text>
      <text x={x + width - 10} y={base} textAnchor="end" className="fill-ink-2 text-[12px]">
        {readyText}
      </text>
    </>
  )
}

interface RegionBoxProps {
  region: RegionPlace
  zoom: ((region: string) => string) | undefined
}

/** The ground of a region. Where it can be enlarged, it is the link to that. */
export function RegionBox({ region, zoom }: RegionBoxProps) {
  const text = useText()
  const { x, y, width, height, name, clusters, ready, desired } = region
  const box = { x, y, width, height, rx: 8 }
  if (zoom === undefined || name === '') return <rect {...box} className="fill-raised" />
  return (
    <Link
      href={zoom(name)}
      aria-label={text('overview.federation.zoom', { region: name, n: clusters, ready, desired })}
      data-testid="region"
      data-region={name}
      className="group"
    >
      <rect {...box} className="fill-raised group-hover:stroke-line-strong" />
    </Link>
  )
}
