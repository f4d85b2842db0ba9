import { DEFAULT_LOCALE, type Locale, LOCALE_COOKIE, negotiateLocale } from '@/lib/messages'

/** The reader's locale as this browser knows it, for pages that the server could not draw. */
export function chosenLocale(): Locale {
  if (typeof document === 'undefined') return DEFAULT_LOCALE
  const cookies = document.cookie.split('; ')
  const chosen = cookies.find((cookie) => cookie.startsWith(`${LOCALE_COOKIE}=`))?.slice(LOCALE_COOKIE.length + 1)
  return negotiateLocale(navigator.languages.join(','), chosen)
}
