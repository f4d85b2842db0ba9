/** The languages of the product, and which of them a reader gets. */

export const LOCALES = ['en', 'zh-CN'] as const
export type Locale = (typeof LOCALES)[number]

/** The locale if none of the requested ones exists. */
export const DEFAULT_LOCALE: Locale = 'en'

/** The cookie that keeps a reader's choice. */
export const LOCALE_COOKIE = 'evenkeel-locale'

/** Each language in its own words, for the menu that switches. */
export const LOCALE_NAMES: Record<Locale, string> = { en: 'English', 'zh-CN': '简体中文' }

/**
 * The locale of a reader: the chosen one if it exists, else the best match of an Accept-Language header
 * (RFC 9110, section 12.5.4; any Chinese gets Simplified Chinese), else English. Never throws on malformed input.
 */
export function negotiateLocale(acceptLanguage: string | null | undefined, chosen?: string): Locale {
  if (isLocale(chosen)) return chosen
  const ranges = (acceptLanguage ?? '').slice(0, 1_000).split(',').map(rangeOf)
  const wanted = ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
  for (const { tag } of wanted) {
    const found = LOCALES.find((locale) => languageOf(locale) === languageOf(tag))
    if (found) return found
  }
  return DEFAULT_LOCALE
}

export const isLocale = (value: unknown): value is Locale => LOCALES.includes(value as Locale)

const languageOf = (tag: string): string => tag.split('-', 1)[0]!.toLowerCase()

function rangeOf(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return { tag, weight: Number.isFinite(weight) ? weight : 0 }
}
