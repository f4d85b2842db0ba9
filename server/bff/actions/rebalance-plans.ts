/** Creates RebalancePlans and steers them. Every act is one write of the spec; the loop does the rest. */
import { rebalancePlan, type RebalancePlanSpec, type RebalanceSelection } from '@/lib/kube/kinds/rebalance-plan'
import { parseLabelSelector } from '@/lib/kube/selector-text'
import type { CreatePlanBody, PlanActBody, Selection } from '@/lib/view/actions'
import { type PlanManifest, planManifest } from '@/lib/view/project/plan'
import { refuse } from '../http/refusal'
import { type CreateDeps, createNamed, FIELD_MANAGER, named, OUTDATED } from './create-rebalancer'
import { planFor, viewOf } from './plan-rebalance'

/** POST /api/rebalance-plans. Nothing is written when the preview that the user saw no longer holds. */
export async function createPlan(deps: CreateDeps, body: CreatePlanBody): Promise<{ name: string }> {
  const manifest = manifestFor(deps, body)
  const create = (name: string) => deps.client.create(rebalancePlan, named(manifest, name), { fieldManager: FIELD_MANAGER })
  return { name: await createNamed(deps, create) }
}

function manifestFor(deps: CreateDeps, body: CreatePlanBody): PlanManifest {
  const createdBy = deps.about.user
  if ('undoOf' in body) return planManifest({ undoOf: body.undoOf }, { createdBy })
  const { manner, ttlSecondsAfterFinished } = body
  if ('selection' in body) return planManifest({ selection: selectionOf(body.selection) }, { manner, createdBy, ttlSecondsAfterFinished })
  const view = viewOf(deps, planFor(deps, body.targets, manner), { manner, ttlSecondsAfterFinished })
  if (view.base !== body.base) throw refuse(409, 'PlanOutdated', OUTDATED, { plan: view })
  return view.manifest as PlanManifest
}

function selectionOf({ labels, ...selection }: Selection): RebalanceSelection {
  if (labels === undefined) return selection
  const parsed = parseLabelSelector(labels)
  if (!parsed.ok) throw refuse(400, 'Invalid', `The label selector cannot be read: ${parsed.error}`, { field: 'selection.labels' })
  return { ...selection, labelSelector: { matchExpressions: parsed.value.map(({ key, operator, values = [] }) => ({ key, operator, values: [...values] })) } }
}

/** POST /api/rebalance-plans/act. */
export async function actOnPlan({ client }: CreateDeps, body: PlanActBody): Promise<{ name: string }> {
  const { name } = body
  if (body.act === 'discard') await client.delete(rebalancePlan, { name })
  else await client.patch(rebalancePlan, { name }, { type: 'merge', value: { spec: changeOf(body) } }, { fieldManager: FIELD_MANAGER })
  return { name }
}

function changeOf(body: PlanActBody): Partial<RebalancePlanSpec> {
  switch (body.act) {
    case 'approve': return { base: body.base }
    case 'continue': return { acknowledgedHolds: body.holds }
    case 'pause': return { paused: true }
    case 'resume': return { paused: false }
    default: return { stopped: true }
  }
}
