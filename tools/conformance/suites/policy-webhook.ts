/** Suite `policy-webhook`: defaults and refusals of the webhooks of propagation policies. */
import { admissionRules } from '@/lib/kube/admission'
import { validatePropagationSpec } from '@/lib/kube/admission/validate-policy'
import { KubeError } from '@/lib/kube/errors'
import type { FieldError } from '@/lib/kube/field-error'
import type { PropagationPolicy } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { differs, firstOf } from '../compare'
import type { Case, Suite } from '../suite'

interface Input {
  operation: 'CREATE' | 'UPDATE'
  namespace: string
  policy: UnknownObject
  oldPolicy?: UnknownObject
}

interface RecordedError {
  field: string
  type: string
  detail: string
  badValue?: string
}

interface Output {
  mutated: UnknownObject
  permanentIDGenerated?: boolean
  allowed?: boolean
  message?: string
  errors?: RecordedError[]
  validationPanic?: string
}

const context = { now: '2026-01-01T00:00:00Z', uid: () => '<uuid>', upstream: true }

export const suite: Suite = {
  name: 'policy-webhook',
  judge: (testCase) => {
    const { input, output } = testCase as Case<Input, Output>
    const group = 'policy.karmada.io'
    const rules = admissionRules({ kind: input.policy.kind, group })!
    const write = { ...context, namespace: input.namespace || undefined }
    const mutated = rules.mutate!(input.policy, input.oldPolicy, write)
    const wrong = differs('mutated', mutated, output.mutated)
    // Where the real webhook panics because a default is missing, there is no result to compare.
    if (wrong || output.validationPanic !== undefined) return wrong
    const spec = (mutated as unknown as PropagationPolicy).spec
    const errors = validatePropagationSpec(
      spec,
      input.policy.kind === 'PropagationPolicy' ? mutated.metadata.namespace : undefined,
    )
    const message = refusalOf(() => rules.review!(mutated, input.oldPolicy, write))
    return firstOf(
      differs('errors', errors.map(summary), (output.errors ?? []).map(recordedSummary)),
      differs('allowed', message === '', output.allowed ?? false),
      differs('message', message, output.message ?? ''),
    )
  },
}

function refusalOf(review: () => void): string {
  try {
    review()
    return ''
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return error.message.replace(/^admission webhook "[^"]+" denied the request: /, '')
  }
}

function recordedSummary({ field, type, detail }: RecordedError): object {
  return { field, type, detail }
}

/** Our findings carry value and detail in one text. */
function summary({ field, reason, message }: FieldError): object {
  const detail =
    reason === 'FieldValueNotSupported'
      ? message.slice(message.indexOf('supported values:'))
      : message.replace(/^Invalid value: (?:"(?:[^"\\]|\\.)*"|-?\d+|true|false|null|[{[].*?[}\]]): (?=[^"{[])/, '')
  return { field, type: reason, detail }
}
