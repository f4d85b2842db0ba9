'use client'
import { usePathname } from 'next/navigation'
import { type ReactNode, use } from 'react'
import { DEFAULT_LOCALE, isLocale } from '@/lib/messages'
import { type Area, loadArea } from '@/lib/messages/load'
import { isFirstPage } from './first-pages'
import { useText } from './use-text'

/** A page whose texts are fetched with it. Waits for them. */
export function AreaTexts({ area, children }: { area: Area; children: ReactNode }) {
  const { locale } = useText()
  use(loadArea(area, locale))
  return children
}

/** A page with the texts that it shows at first: the landing pages do with those that are there. Waits for the others. */
export function PageTexts({ children }: { children: ReactNode }) {
  const path = usePathname()
  const { locale } = useText()
  if (!isFirstPage(path)) use(loadArea('later', locale))
  return children
}

if (typeof window !== 'undefined' && !isFirstPage(window.location.pathname)) wantTexts('later')

/** Fetches the texts of an area, in the language of the document. */
export function loadTexts(area: Area): Promise<void> {
  const { lang } = document.documentElement
  return loadArea(area, isLocale(lang) ? lang : DEFAULT_LOCALE)
}

/** Begins to fetch the texts of an area with the code that shows them, in the language of the document. */
export function wantTexts(area: Area): void {
  if (typeof document !== 'undefined') loadTexts(area).catch(() => undefined)
}
