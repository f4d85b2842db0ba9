'use client'
import { Suspense, useState } from 'react'
import { isOutdated } from '../../hooks/freshness'
import { AreaTexts } from '../../messages/area-texts'
import { useText } from '../../messages/use-text'
import { useWidth } from '../../picture/use-width'
import { Notice } from '../../ui/notice'
import { FleetOutline } from '../fleet-outline'
import { HeatMatrix } from './heat-matrix'
import type { HeatPanelProps } from './props'
import { RegionBars } from './region-bars'
import { HeatToolbar } from './toolbar'
import { useHeat } from './use-heat'

/** Narrower than this there is no room for a matrix. */
const MIN_WIDTH = 560

/** The fleet as a picture: on a phone as bars of the regions, without a canvas as the table. */
export function HeatPanel(props: HeatPanelProps) {
  return (
    <Suspense fallback={<FleetOutline />}>
      <AreaTexts area="fleetHeat">
        <Panel {...props} />
      </AreaTexts>
    </Suspense>
  )
}

function Panel(props: HeatPanelProps) {
  const text = useText()
  const [panel, width] = useWidth<HTMLDivElement>()
  const [hasCanvas] = useState(canDraw)
  const heat = useHeat(props)
  const { freshness } = props.fleet.workloads
  if (!hasCanvas)
    return (
      <>
        <Notice state="unknown">{text('fleetHeat.noCanvas')}</Notice>
        {props.table}
      </>
    )
  const isNarrow = width > 0 && width < MIN_WIDTH
  return (
    <div ref={panel} data-testid="heat-panel" className="flex min-h-0 grow flex-col">
      <HeatToolbar {...props} heat={heat} isNarrow={isNarrow} />
      <div className={isOutdated(freshness) ? 'flex min-h-0 grow flex-col grayscale' : 'flex min-h-0 grow flex-col'}>
        {width > 0 && (isNarrow ? <RegionBars {...props} /> : <HeatMatrix {...props} heat={heat} />)}
      </div>
    </div>
  )
}

/** A browser without a canvas, or one that its user forbids to draw. */
const canDraw = (): boolean => document.createElement('canvas').getContext('2d') !== null
