import type { Message } from '@/lib/messages/message'
import { english } from '@/lib/messages/english'

/** What the user of a rehearsal has to change: the scenario, the fleet, or the arguments. */
export class BadInput extends Error {
  override readonly name = 'BadInput'
  constructor(readonly problems: readonly Message[]) {
    super(problems.map((problem) => english.of(problem)).join('\n'))
  }
}
