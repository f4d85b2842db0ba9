/** Health of member objects by kind, against the real interpreters. */
import { hasHealthRule, interpretHealth } from '@/lib/domain/interpreter'
import type { UnknownObject } from '@/lib/kube/object'
import { differs } from '../compare'
import { attempt } from '../attempt'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  object: UnknownObject
}

interface Output {
  healthy?: boolean
  error?: string
  hookEnabled: boolean
}

/** Error texts come from Go's converter or a script engine, so only the presence of an error is compared. */
function judge({ input, output }: Case<Input, Output>): string | undefined {
  const hookEnabled = hasHealthRule(input.object)
  const actual = attempt(() => ({ hookEnabled, healthy: interpretHealth(input.object) }), { hookEnabled })
  // A kind without a rule is never interpreted; the recorder called the interpreter anyway and got an error.
  if (!hookEnabled) return differs('rule', hookEnabled, output.hookEnabled)
  return differs('health', actual, { ...output, error: output.error === undefined ? undefined : true })
}

export const suite: Suite = { name: 'health', judge: judge as Judge }
