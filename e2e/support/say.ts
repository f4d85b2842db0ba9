/** The texts of the catalogue in the language of the running project, so that journeys survive a change of words. */
import { test } from '@playwright/test'
import { DEFAULT_LOCALE, isLocale, type Text } from '@/lib/messages'
import { texts } from '@/lib/messages/texts'

/** The text function of the running test: `say()('queues.position')`. */
export function say(): Text {
  const { locale } = test.info().project.use
  return texts[isLocale(locale) ? locale : DEFAULT_LOCALE]
}
