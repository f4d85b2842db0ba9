import { english } from '@/lib/messages/english'
import type { Message } from '@/lib/messages/message'

/** Why a twin or an export could not be made; nothing was left behind. */
export class TwinError extends Error {
  override readonly name = 'TwinError'

  /** `detail` is printed in the language of the terminal, `message` is English. */
  constructor(
    readonly detail: Message,
    cause?: unknown,
  ) {
    super(english.of(detail), { cause })
  }
}
