import { english } from '@/lib/messages/english'
import type { Message } from '@/lib/messages/message'

/** Reports an invalid flag or variable; the message names it and the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  /** `detail` is printed in the language of the terminal; `message` is English. */
  constructor(readonly detail: Message) {
    super(english.of(detail))
  }
}
