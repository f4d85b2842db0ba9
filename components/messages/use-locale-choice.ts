'use client'
import { useRouter } from 'next/navigation'
import { type Locale, LOCALE_COOKIE } from '@/lib/messages'

const YEAR_SECONDS = 365 * 24 * 3600

/** Remembers a language for this browser, and shows it without a reload: what the page holds stays. */
export function useLocaleChoice(): (locale: Locale) => void {
  const router = useRouter()
  return (locale) => {
    const secure = window.location.protocol === 'https:' ? '; secure' : ''
    document.cookie = `${LOCALE_COOKIE}=${locale}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
    document.documentElement.lang = locale
    router.refresh()
  }
}
