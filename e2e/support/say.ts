/** The texts of the catalogue in the language of the running project, so that journeys survive a change of words. */
import { test } from '@playwright/test'
import { DEFAULT_LOCALE, isLocale, type Locale, type Text } from '@/lib/messages'
import { texts } from '@/lib/messages/texts'

let outsideTests: Locale | undefined

/** Sets the language where no test runs, as for screenshots. */
export function sayIn(locale: Locale): void {
  outsideTests = locale
}

/** The text function of the running test: `say()('queues.position')`. */
export function say(): Text {
  if (outsideTests !== undefined) return texts[outsideTests]
  const { locale } = test.info().project.use
  return texts[isLocale(locale) ? locale : DEFAULT_LOCALE]
}
