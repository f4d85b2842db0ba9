/** Suite `pod-mutation`: fields that a subset adds to its pods. */
import { injectSubset } from '@/lib/domain/spread'
import { podIn, subsetsIn, withoutEmpty } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  workloadSpreadName: string
  subsets: object[]
  /** The chosen one. */
  subset: string
  generatedUID: string
  pod: object
}

interface Output {
  injected: boolean
  pod?: object
  error?: string
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const pod = podIn(input.pod)
  const subset = subsetsIn(input.subsets).find(({ name }) => name === input.subset)
  const matched = {
    name: input.workloadSpreadName,
    subset: input.subset,
    ...(input.generatedUID && { uid: input.generatedUID }),
  }
  const injected = subset && injectSubset(pod, subset, matched)
  if (injected?.ok === false || output.error !== undefined) {
    return differs('refused', injected?.ok === false, output.error !== undefined)
  }
  const { apiVersion: _version, kind: _kind, ...made } = injected?.value ?? pod
  return differs('pod', { injected: injected !== undefined, pod: withoutEmpty(made) }, withoutEmpty(output))
}

export const suite: Suite = { name: 'pod-mutation', judge: judge as Judge }
