'use client'
import { type Axis, placeOn } from '@/lib/view/incident/layout'

interface AxisLabelsProps {
  axis: Axis
  width: number
  ticks: readonly number[]
  /** Beside the axis: what the heights of the lanes stand for. */
  scale: string
  nameOf: (tick: number) => string
}

/** A label at the ends stays whole. */
const HALF_LABEL = 26

/** The names of the ticks below the lanes. */
export function AxisLabels({ axis, width, ticks, scale, nameOf }: AxisLabelsProps) {
  const x = placeOn(axis, width)
  return (
    <div className="grid wide:grid-cols-[10.5rem_minmax(0,1fr)_11.5rem]">
      <span className="self-center text-micro text-ink-2 max-wide:hidden">{scale}</span>
      <svg width={width} height="18" aria-hidden="true" className="block">
        {ticks.map((at) => (
          <text
            key={at}
            x={Math.min(Math.max(x(at), HALF_LABEL), width - HALF_LABEL)}
            y="13"
            textAnchor="middle"
            className="fill-ink-2 text-micro"
          >
            {nameOf(at)}
          </text>
        ))}
      </svg>
    </div>
  )
}
