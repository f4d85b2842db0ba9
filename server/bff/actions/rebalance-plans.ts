/** Creates RebalancePlans and acts on them. Every action is one write of the spec; the controller does the rest. */
import { apiVersionOf } from '@/lib/kube/kind'
import { rebalancePlan, type RebalancePlanSpec, type RebalanceSelection } from '@/lib/kube/kinds/rebalance-plan'
import { parseLabelSelector } from '@/lib/kube/selector-text'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import type { CreatePlanBody, PlanActionBody, Selection } from '@/lib/view/actions'
import { type PlanManifest, planManifest } from '@/lib/view/project/plan'
import type { EndpointCall } from '../http/endpoint'
import { changeObject } from '../http/precondition'
import { refuse } from '../http/refusal'
import type { ApiDeps } from './api-deps'
import { createOnce, FIELD_MANAGER, named, OUTDATED, reportCreated } from './create-rebalancer'
import { type Planner, previewRebalance } from './plan-rebalance'
import { refuseTooMany } from './selected-workloads'

/** Writes nothing when the preview that the user saw is no longer valid. */
export async function createPlan(
  deps: ApiDeps,
  call: EndpointCall<CreatePlanBody>,
  planner: Planner,
): Promise<{ name: string }> {
  const manifest = manifestFor(deps, call.body, planner)
  const { client } = call.principal
  if ('selection' in call.body) {
    await refuseTooMany({
      asked: call.body.selection,
      selection: selectionOf(call.body.selection),
      cache: deps.cache,
      scope: planner.scope,
      client,
    })
  }
  if ('undoOf' in call.body) reportUndo(call, call.body.undoOf)
  return reportCreated(
    call,
    await createOnce(deps, call, {
      wanted: call.body.name,
      create: (naming) => client.create(rebalancePlan, named(manifest, naming), { fieldManager: FIELD_MANAGER }),
      get: (name) => client.get(rebalancePlan, { name }),
    }),
  )
}

/** Records the action as an undo even when it is refused. */
function reportUndo({ concerns }: Pick<EndpointCall, 'concerns'>, name: string): void {
  const { kind } = rebalancePlan
  concerns({
    object: { apiVersion: apiVersionOf(rebalancePlan), kind, name },
    summary: english('rebalance.audit.undo', { plan: name }),
  })
}

function manifestFor(deps: ApiDeps, body: CreatePlanBody, planner: Planner): PlanManifest {
  const createdBy = planner.user
  if ('undoOf' in body) return planManifest({ undoOf: body.undoOf }, { createdBy })
  const { rollout, ttlSecondsAfterFinished } = body
  if ('selection' in body) {
    return planManifest({ selection: selectionOf(body.selection) }, { rollout, createdBy, ttlSecondsAfterFinished })
  }
  const view = previewRebalance(deps, body, planner)
  if (view.base !== body.base) throw refuse(409, 'PlanOutdated', OUTDATED, { plan: view })
  return view.manifest as PlanManifest
}

function selectionOf({ labels, ...selection }: Selection): RebalanceSelection {
  if (labels === undefined) return selection
  const parsed = parseLabelSelector(labels)
  if (!parsed.ok) {
    throw refuse(400, 'Invalid', message('rebalance.problem.labels', { error: parsed.error }), {
      field: 'selection.labels',
    })
  }
  return {
    ...selection,
    labelSelector: {
      matchExpressions: parsed.value.map(({ key, operator, values = [] }) => ({ key, operator, values: [...values] })),
    },
  }
}

/** Writes the spec once, or deletes the object. With If-Match only if the object is unchanged since it was read. */
export async function actOnPlan(call: EndpointCall<PlanActionBody>): Promise<{ name: string }> {
  const {
    params: { plan: name = '' },
    body,
    principal: { client },
  } = call
  await changeObject(call, { kind: rebalancePlan, ref: { name } }, async ({ object, lock }) => {
    const {
      apiVersion,
      kind,
      metadata: { uid },
      spec,
    } = object
    const about = {
      object: { apiVersion, kind, name, uid },
      before: spec,
      summary: english(`rebalance.audit.${body.action}`),
    }
    call.concerns(about)
    if (body.action === 'approve' && body.base !== object.status?.base) throw refuse(409, 'PlanOutdated', OUTDATED)
    if (body.action === 'discard') return client.delete(rebalancePlan, { name }, { preconditions: { uid, ...lock } })
    const change = changeOf(body)
    await client.patch(
      rebalancePlan,
      { name },
      { type: 'merge', value: { metadata: lock, spec: change } },
      { fieldManager: FIELD_MANAGER },
    )
    return call.concerns({ ...about, after: { ...spec, ...change } })
  })
  return { name }
}

function changeOf(body: PlanActionBody): Partial<RebalancePlanSpec> {
  switch (body.action) {
    case 'approve':
      return { base: body.base }
    case 'continue':
      return { acknowledgedHolds: body.holds }
    case 'pause':
      return { paused: true }
    case 'resume':
      return { paused: false }
    default:
      return { stopped: true }
  }
}
