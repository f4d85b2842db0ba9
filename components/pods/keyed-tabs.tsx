'use client'
import type { ComponentProps } from 'react'
import { Tabs } from '../ui/tabs'
import { useTabKeys } from './use-tab-keys'

/** The tabs of a drawer. */
export function KeyedTabs(props: ComponentProps<typeof Tabs>) {
  const { items, value, onChange } = props
  useTabKeys(
    items.map((item) => item.value),
    value,
    onChange,
  )
  return <Tabs {...props} />
}
