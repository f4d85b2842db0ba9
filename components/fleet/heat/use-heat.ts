'use client'
import { useMemo } from 'react'
import { useText } from '../../messages/use-text'
import { type Folding, foldingOf } from '../folding'
import { groupTitle } from '../group-title'
import type { HeatPanelProps } from './props'
import { DENSITIES, type Density } from './layout'
import { HeatRows, mostReplicas, silentClusters } from './rows'
import { type Scale, scaleOf, STEPS } from './scale'

/** More clusters than this are collapsed to their regions until they are opened. */
const MAX_CLUSTERS = 100

export interface Heat {
  density: Density
  regions: Folding
  rows: HeatRows
  scale: Scale
}

/** Returns the data of the heat matrix and the view settings from the URL. */
export function useHeat({
  fleet,
  rows,
  withNamespace,
}: Pick<HeatPanelProps, 'fleet' | 'rows' | 'withNamespace'>): Heat {
  const text = useText()
  const { url, columns } = fleet
  const density = DENSITIES.find((each) => each === url.get('density')) ?? 'comfortable'
  const isMany = columns.length > MAX_CLUSTERS
  const { get } = url
  const regions = useMemo(
    () => foldingOf({ get, isClosedByDefault: isMany, closedIn: 'folded', openIn: 'unfolded' }),
    [get, isMany],
  )
  const silent = [...silentClusters(columns)].join(' ')
  const drawn = useMemo(
    () => new HeatRows(new Set(silent.split(' ')), withNamespace, (name) => groupTitle(text, name)),
    [silent, withNamespace, text],
  )
  const most = useMemo(() => mostReplicas(rows), [rows])
  // The scale changes with its steps only, so that one replica more does not draw everything anew.
  const top = scaleOf(most).from[1]! ** STEPS - 1
  const scale = useMemo(() => scaleOf(top), [top])
  return useMemo(() => ({ density, regions, rows: drawn, scale }), [density, regions, drawn, scale])
}
