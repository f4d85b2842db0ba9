/** Messages as data, their text in every locale, and the formats of a locale. */
export { DEFAULT_LOCALE, isLocale, type Locale, LOCALE_COOKIE, LOCALE_NAMES, LOCALES, negotiateLocale } from './locale'
export { isMessage, message, type Message, type MessageCode, type Value } from './message'
export { createText, type MessageProblem, type Text } from './text'
export type { Formats } from './formats'
