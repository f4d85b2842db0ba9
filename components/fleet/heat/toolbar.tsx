'use client'
import { ArrowDownWideNarrow } from 'lucide-react'
import { useText } from '../../messages/use-text'
import { Switch } from '../../pods/view-switch'
import { Button } from '../../ui/button'
import { ChoiceMenu } from '../../ui/menu'
import type { HeatPanelProps } from './props'
import { DENSITIES } from './layout'
import { HeatLegend } from './legend'
import type { Heat } from './use-heat'

/** The orders that the menu offers; heads of columns sort by other things. */
const ORDERS = ['', 'state', '-desired', '-drift'] as const
type Order = (typeof ORDERS)[number]

const ORDER_WORDS = { '': 'name', state: 'state', '-desired': 'desired', '-drift': 'drift' } as const

/** Density, order, and what the marks mean. */
export function HeatToolbar({ fleet, heat, isNarrow }: HeatPanelProps & { heat: Heat; isNarrow: boolean }) {
  const text = useText()
  const { url } = fleet
  const order = ORDERS.find((each) => each === (url.get('sort') ?? ''))
  return (
    <div
      data-heat-toolbar
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-6 py-2 max-wide:px-3"
    >
      {!isNarrow && (
        <Switch
          label={text('fleetHeat.density')}
          value={heat.density}
          options={DENSITIES.map((value) => ({ value, label: text(`fleetHeat.density.${value}`) }))}
          onChange={(value) => url.tweak({ density: value === 'comfortable' ? undefined : value })}
        />
      )}
      <ChoiceMenu<Order | 'other'>
        label={text('fleetHeat.order')}
        value={order ?? 'other'}
        choices={ORDERS.map((value) => ({ value, label: text(`fleetHeat.order.${ORDER_WORDS[value]}`) }))}
        onChange={(value) => url.tweak({ sort: value })}
        trigger={
          <Button>
            <ArrowDownWideNarrow size={14} aria-hidden="true" />
            {order === undefined ? text('fleetHeat.order') : text(`fleetHeat.order.${ORDER_WORDS[order]}`)}
          </Button>
        }
      />
      <HeatLegend heat={heat} />
      {fleet.clusters.refused !== undefined && <p className="text-ink-2">{text('fleetHeat.covers')}</p>}
    </div>
  )
}
