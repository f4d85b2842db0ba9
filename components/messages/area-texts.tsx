'use client'
import { type ReactNode, use } from 'react'
import { type Area, loadArea, wantArea } from '@/lib/messages/load'
import { useText } from './use-text'

/** A page whose texts are fetched with it. Waits for them. */
export function AreaTexts({ area, children }: { area: Area; children: ReactNode }) {
  const { locale } = useText()
  use(loadArea(area, locale))
  return children
}

/** Begins to fetch the texts of an area with the code that shows them, in the language of the document. */
export function wantTexts(area: Area): void {
  if (typeof document !== 'undefined') wantArea(area, document.documentElement.lang)
}
