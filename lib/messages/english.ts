/** English text, for what has no reader with a locale: events and conditions, logs, the command line, tests. */
import { texts } from './texts'

export const english = texts.en
