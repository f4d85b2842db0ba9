/** English text, for what has no reader with a locale: events and conditions, logs, the command line, tests. */
import { catalogue } from './en'
import { createText } from './text'

export const english = createText({ locale: 'en', catalogue })
