/** Suite `validation`: errors of a WorkloadSpread. */
import type { FieldError } from '@/lib/kube/field-error'
import type { PodTemplate } from '@/lib/kube/kinds'
import {
  validateSpreadConflicts,
  validateSpreadSpec,
  validateSpreadUpdate,
} from '@/lib/kube/validation/workload-spread'
import { type RecordedSpread, rulesIn, spreadIn, type WithRules } from '../spread-case'
import { differs, firstOf } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  operation: 'CREATE' | 'UPDATE'
  spec?: object
  otherWorkloadSpreads?: RecordedSpread[]
  oldSpec?: object
  /** With it, only the subsets are looked at. */
  workloadTemplate?: PodTemplate
  subsets?: object[]
}

interface RecordedError {
  type: string
  field: string
  detail: string
}

interface Output {
  verdict: 'accept' | 'reject'
  errors: RecordedError[]
}

/** The kinds that were allowed when the cases were recorded. */
const custom = [{ group: 'kubeflow.org', kind: 'TFJob' }]
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const errors = findings(input)
  return firstOf(
    differs('verdict', errors.length === 0 ? 'accept' : 'reject', output.verdict),
    differs(
      'errors',
      errors.map(summary),
      output.errors.map(({ type, field }) => ({ type, field })),
    ),
    differs(
      'details',
      errors.filter(isOwn).map(detailOf),
      output.errors.filter(isOwn).map(({ detail }) => detail),
    ),
  )
}

function findings({
  operation,
  spec,
  subsets,
  oldSpec,
  otherWorkloadSpreads = [],
  workloadTemplate,
  ...rest
}: Input): FieldError[] {
  const spread = spreadIn({ spec: spec ?? { targetRef: target, subsets } })
  if (operation === 'UPDATE') return validateSpreadUpdate(spread.spec!, spreadIn({ spec: oldSpec ?? {} }).spec)
  const parser = rulesIn(rest).oneShareParser ? 'strict' : 'lenient'
  return [
    ...validateSpreadSpec(spread.spec!, { template: workloadTemplate, custom, parser }),
    ...validateSpreadConflicts(spread, otherWorkloadSpreads.map(spreadIn)),
  ]
}

const summary = ({ reason, field }: FieldError): object => ({ type: reason, field })

/** Texts of OpenKruise itself; the others belong to a library and differ between its versions. */
const isOwn = ({ field }: { field: string }): boolean =>
  !/\.(?:requiredNodeSelector|preferredNodeSelector|tolerations|patch|targetFilter)\b/.test(field)

/** Our findings carry value and detail in one text. */
function detailOf({ message }: FieldError): string {
  const [, detail = ''] =
    /^(?:Required value|Invalid value: (?:"(?:[^"\\]|\\.)*"|-?\d+|null|\{.*\}))(?:: (.*))?$/.exec(message) ?? []
  return detail
}

export const suite: Suite = { name: 'validation', judge: judge as Judge }
