/** The texts of the catalogue in the language of the running project, so that journeys survive a change of words. */
import { test } from '@playwright/test'
import { createText, DEFAULT_LOCALE, isLocale, type Locale, type Text } from '@/lib/messages'
import { catalogue as en } from '@/lib/messages/en'
import { catalogue as zh } from '@/lib/messages/zh-CN'

const TEXTS: Record<Locale, Text> = {
  en: createText({ locale: 'en', catalogue: en }),
  'zh-CN': createText({ locale: 'zh-CN', catalogue: zh }),
}

/** The text function of the running test: `say()('queues.position')`. */
export function say(): Text {
  const { locale } = test.info().project.use
  return TEXTS[isLocale(locale) ? locale : DEFAULT_LOCALE]
}
