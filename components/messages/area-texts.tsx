'use client'
import { type ReactNode, use } from 'react'
import { type Area, loadArea } from '@/lib/messages/load'
import { useText } from './use-text'

/** A page whose texts are fetched with it. Waits for them. */
export function AreaTexts({ area, children }: { area: Area; children: ReactNode }) {
  const { locale } = useText()
  use(loadArea(area, locale))
  return children
}
