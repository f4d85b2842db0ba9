/** Suite `replicas-path`: the size of a workload at paths of its own. */
import { replicasAt, sumReplicas } from '@/lib/domain/spread'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  object: object
  path?: string
  replicasPathList?: string[]
}

function judge({
  input: { object, path, replicasPathList },
  output,
}: Case<Input, { replicas?: number; error?: string }>): string | undefined {
  const found = replicasPathList ? sumReplicas(object, replicasPathList) : replicasAt(object, path ?? '')
  const refused = differs('refused', !found.ok, output.error !== undefined)
  return refused ?? (found.ok ? differs('replicas', found.value, output.replicas) : undefined)
}

export const suite: Suite = { name: 'replicas-path', judge: judge as Judge }
