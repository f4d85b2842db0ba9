/** Scales workloads, or the bounds of FederatedHPAs, at the times of CronFederatedHPAs. See README.md. */
import { type CronRule, type Execution, planCronRules, withExecution } from '@/lib/domain/scaling'
import { isConflict } from '@/lib/kube/errors'
import { apiVersionOf } from '@/lib/kube/kind'
import { cronFederatedHpa, type CronFederatedHpa } from '@/lib/kube/kinds/cron-federated-hpa'
import { federatedHpa } from '@/lib/kube/kinds/federated-hpa'
import type { ObjectKey } from '@/lib/kube/object'
import { type Controller, type ReconcileResult, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import { writeStatusFields } from '../shared/object-writes'
import { acquireTemplateKinds, findTemplateKind, type TemplateKindsLease } from '../shared/template-kinds'

export function cronFederatedHpaController(context: ReconcilerContext): Controller {
  let kinds: TemplateKindsLease | undefined
  return {
    name: 'cron-federated-hpa',
    watches: [watch({ kind: cronFederatedHpa, relevant: ({ type }) => type !== 'deleted' })],
    reads: [federatedHpa],
    whenReady: async () => kinds?.kinds.whenReady(),
    start: () => {
      kinds = acquireTemplateKinds(context)
      return () => kinds?.release()
    },
    reconcile: (key) => reconcile(context, key),
  }
}

/**
 * 1. Find due rules. 2. Scale. 3. Write the history and the next times; a conflict on the status restarts the
 * reconcile.
 */
async function reconcile(context: ReconcilerContext, key: ObjectKey): Promise<ReconcileResult> {
  const { client, clock, informers, events } = context
  const cron = informers.of(cronFederatedHpa).get(key)
  if (!cron || cron.metadata.deletionTimestamp) return
  const { due, histories, next } = planCronRules(cron, clock.now())
  let remembered = histories
  for (const { rule, at } of due) {
    const execution: Execution = { rule, at, failure: await failureOf(() => scale(context, cron, rule)) }
    if (execution.failure !== undefined) {
      events.record({ ...scaleFailed(execution.failure), regarding: referenceTo(cronFederatedHpa, cron) })
    }
    remembered = withExecution(remembered, execution, clock.now())
  }
  await writeStatusFields(client, cronFederatedHpa, {
    object: cron,
    fields: { executionHistories: remembered },
    lock: true,
  })
  if (next !== undefined) return { requeueAfterMs: Math.max(0, next - clock.now()) }
}

/** A conflict starts the pass over; any other failure is a result. */
async function failureOf(act: () => Promise<void>): Promise<string | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (isConflict(error)) throw error
    return error instanceof Error ? error.message : String(error)
  }
}

async function scale(context: ReconcilerContext, cron: CronFederatedHpa, rule: CronRule): Promise<void> {
  const { apiVersion = '', kind, name } = cron.spec.scaleTargetRef
  const ref = { namespace: cron.metadata.namespace ?? '', name }
  if (apiVersion === apiVersionOf(federatedHpa)) return scaleBounds(context, ref, rule)
  const found = findTemplateKind(context, apiVersion, kind)
  // log: becomes the message of the failed execution
  if (!found) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`)
  const { targetReplicas: replicas } = rule
  if (replicas === undefined) return
  await context.client.patch(found, ref, { type: 'merge', value: { spec: { replicas } } }, { subresource: 'scale' })
}

async function scaleBounds(
  { client }: ReconcilerContext,
  ref: { namespace: string; name: string },
  { targetMinReplicas, targetMaxReplicas }: CronRule,
): Promise<void> {
  const spec = {
    ...(targetMinReplicas !== undefined && { minReplicas: targetMinReplicas }),
    ...(targetMaxReplicas !== undefined && { maxReplicas: targetMaxReplicas }),
  }
  await client.patch(federatedHpa, ref, { type: 'merge', value: { spec } })
}

const scaleFailed = (message: string) => ({
  component: 'cronfederatedhpa-controller',
  type: 'Warning' as const,
  reason: 'ScaleFailed',
  message,
})
