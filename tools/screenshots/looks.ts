/** In which language, theme and size a page is photographed. */
import type { BrowserContextOptions } from '@playwright/test'
import { type Locale, LOCALES } from '@/lib/messages'

export interface Look {
  locale: Locale
  theme: 'light' | 'dark'
  size: 'desktop' | 'phone' | 'wall'
}

const VIEWPORTS: Record<Look['size'], { width: number; height: number }> = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  wall: { width: 1920, height: 1080 },
}

/** `en`, `zh-CN`, `en-dark`, `en-phone`: the last part of a picture's name. */
export const nameOf = ({ locale, theme, size }: Look): string =>
  [locale, ...(size === 'desktop' ? [] : [size]), ...(theme === 'light' ? [] : [theme])].join('-')

export const fileOf = (scene: string, look: Look): string => `${scene}.${nameOf(look)}.png`

export const optionsOf = ({ locale, theme, size }: Look): BrowserContextOptions => ({
  viewport: VIEWPORTS[size],
  hasTouch: size === 'phone',
  locale,
  timezoneId: 'UTC',
  colorScheme: theme,
  reducedMotion: 'reduce',
})

const light = { theme: 'light', size: 'desktop' } as const
const phone = { theme: 'light', size: 'phone' } as const

export const EN: Look = { locale: 'en', ...light }
const ZH: Look = { locale: 'zh-CN', ...light }
export const EN_DARK: Look = { ...EN, theme: 'dark' }
export const EN_PHONE: Look = { locale: 'en', ...phone }
export const ZH_PHONE: Look = { locale: 'zh-CN', ...phone }
export const WALL: Look = { locale: 'en', theme: 'dark', size: 'wall' }
export const BOTH: readonly Look[] = [EN, ZH]
export const PHONES: readonly Look[] = [EN_PHONE, ZH_PHONE]

/** A page is compared in both themes, also where its picture is kept in one, or in none. */
export const COMPARED: readonly Look[] = [EN, EN_DARK]

const SIZES = ['desktop', 'phone'] as const
/** Each language in both themes on desks and phones. */
export const EVERY_LOOK: readonly Look[] = LOCALES.flatMap((locale) =>
  SIZES.flatMap((size) => (['light', 'dark'] as const).map((theme) => ({ locale, theme, size }))),
)
