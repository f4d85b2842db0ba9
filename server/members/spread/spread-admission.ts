/** Validates WorkloadSpreads, and registers the namespace of admitted ones. */
import { rulesOf } from '@/lib/domain/spread'
import type { FieldError } from '@/lib/kube/field-error'
import { textOfFindings } from '@/lib/kube/field-error'
import type { PodTemplate, WorkloadSpread } from '@/lib/kube/kinds'
import { keyOf } from '@/lib/kube/object'
import {
  validateSpreadConflicts,
  validateSpreadSpec,
  validateSpreadUpdate,
  withClaims,
} from '@/lib/kube/validation/workload-spread'
import type { KnownSpreads } from './known-spreads'
import { Refusal, type Review, type Verdict } from './review'
import type { Workloads } from './workloads'

export interface SpreadAdmissionParts {
  workloads: Workloads
  spreads: KnownSpreads
  /** Registers the pod webhook for that namespace. */
  openNamespace(namespace: string): Promise<void>
}

export class SpreadAdmission {
  constructor(private readonly parts: SpreadAdmissionParts) {}

  /** Throws a Refusal (422). */
  async review({ operation, object, oldObject, namespace = '', name = '', dryRun }: Review): Promise<Verdict> {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return {}
    const next = object as WorkloadSpread
    const others = await this.parts.spreads.of(namespace)
    const old = operation === 'UPDATE' ? (oldObject as WorkloadSpread) : undefined
    const findings = this.#findings(next, { namespace, old, others })
    const text = textOfFindings(findings)
    if (text !== undefined) throw new Refusal(422, text)
    if (operation === 'CREATE' && !dryRun) {
      this.parts.spreads.announce(keyOf({ namespace, name: next.metadata.name || name }))
      await this.parts.openNamespace(namespace)
    }
    return {}
  }

  #findings(
    next: WorkloadSpread,
    {
      namespace,
      old,
      others,
    }: { namespace: string; old: WorkloadSpread | undefined; others: readonly WorkloadSpread[] },
  ): FieldError[] {
    const { spec } = next
    if (!spec) return [{ reason: 'FieldValueRequired', field: 'spec', message: 'Required value' }]
    const parser = rulesOf(next).oneShareParser ? 'strict' : 'lenient'
    return [
      ...validateSpreadSpec(spec, { template: this.#templateOf(spec, namespace), parser }),
      ...validateSpreadConflicts(next, others),
      ...(old ? validateSpreadUpdate(spec, old.spec) : []),
    ]
  }

  /** Returns the template of the workload if it exists. */
  #templateOf({ targetRef }: NonNullable<WorkloadSpread['spec']>, namespace: string): PodTemplate | undefined {
    const workload = this.parts.workloads.find(namespace, targetRef)
    const spec = (workload?.spec ?? {}) as { template?: PodTemplate; volumeClaimTemplates?: object[] }
    return spec.template && withClaims(spec.template, spec.volumeClaimTemplates)
  }
}
