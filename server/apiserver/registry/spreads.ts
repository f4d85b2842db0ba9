/**
 * The rules of WorkloadSpreads on the control plane. OpenKruise's webhook runs in the members: without this a spread that
 * every member refuses would be stored, propagated, and only fail there.
 */
import { invalidError } from '@/lib/kube/field-error'
import { resourceName } from '@/lib/kube/kind'
import { workloadSpread, type WorkloadSpread } from '@/lib/kube/kinds'
import { SPREAD_RULES_ANNOTATION } from '@/lib/kube/names'
import type { UnknownObject } from '@/lib/kube/object'
import {
  validateSpreadConflicts,
  validateSpreadSpec,
  validateSpreadUpdate,
} from '@/lib/kube/validation/workload-spread'
import { deepEqual } from '@/lib/std/equal'
import type { Scope } from '../api'

const SPREADS = resourceName(workloadSpread)
const CONTROL_PLANE = ''

/**
 * Throws 422, with the paths of the fields, for a WorkloadSpread that OpenKruise would refuse. `next` is in the stored
 * version, `old` in that of the request. Unchanged parts are not validated again.
 */
export function reviewSpread({ api, keyspace, resource }: Scope, next: UnknownObject, old?: UnknownObject): void {
  if (keyspace.name !== CONTROL_PLANE || resource.id !== SPREADS || api.upstream) return
  const spread = next as unknown as WorkloadSpread
  const before = (old && resource.write(old)) as unknown as WorkloadSpread | undefined
  if (next.metadata.deletionTimestamp || (before && deepEqual(spread.spec, before.spec))) return
  const { namespace, name } = next.metadata
  const others = api.store
    .list({ keyspace: keyspace.name, resource: resource.id }, namespace === undefined ? {} : { namespace })
    .map(({ value }) => value as unknown as WorkloadSpread)
  const parser = next.metadata.annotations?.[SPREAD_RULES_ANNOTATION] === undefined ? 'strict' : 'lenient'
  const findings =
    spread.spec === undefined
      ? [{ reason: 'FieldValueRequired' as const, field: 'spec', message: 'Required value' }]
      : [
          ...validateSpreadSpec(spread.spec, { parser }),
          ...validateSpreadConflicts(spread, others),
          ...(before ? validateSpreadUpdate(spread.spec, before.spec) : []),
        ]
  if (findings.length > 0) throw invalidError(resource.kind, name, findings)
}
