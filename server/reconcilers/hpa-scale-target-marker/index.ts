/** Marks the target of a propagated autoscaler, so that its members keep their replicas. See README.md. */
import { claimOn } from '@/lib/domain/propagation'
import { isNotFound } from '@/lib/kube/errors'
import {
  type Deployment,
  deployment as deploymentKind,
  horizontalPodAutoscaler,
  type HorizontalPodAutoscaler,
} from '@/lib/kube/kinds'
import { RETAIN_REPLICAS_LABEL } from '@/lib/kube/names'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { findTemplateKind } from '../shared/template-kinds'

/** The target of an autoscaler. */
interface Target {
  apiVersion: string
  kind: string
  namespace: string
  name: string
}

export function hpaScaleTargetMarkerController(context: ReconcilerContext): Controller {
  const released = new Set<ObjectKey>()
  return {
    name: 'hpa-scale-target-marker',
    watches: [
      watch({ kind: horizontalPodAutoscaler, keys: (change) => concernedTargets(change, released) }),
      watch({
        kind: deploymentKind,
        relevant: (change) => change.type === 'added',
        keys: (change) => (change.type === 'deleted' ? [] : [keyOfDeployment(change.object)]),
      }),
    ],
    reconcile: (key) => markTarget(context, key, released),
  }
}

/** Returns the current target of the autoscaler, and the previous one, which may lose its label. */
function concernedTargets(change: Change<HorizontalPodAutoscaler>, released: Set<ObjectKey>): ObjectKey[] {
  const now = change.type === 'deleted' ? undefined : keyOfTarget(targetOf(change.object))
  const before = change.type === 'added' ? undefined : keyOfTarget(targetOf(change.old))
  if (before !== undefined && before !== now) released.add(before)
  return [...new Set([now, before])].filter((key) => key !== undefined)
}

function targetOf({ metadata, spec }: HorizontalPodAutoscaler): Target {
  const { apiVersion = '', kind, name } = spec.scaleTargetRef
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name }
}

const keyOfTarget = ({ apiVersion, kind, namespace, name }: Target): ObjectKey =>
  JSON.stringify([apiVersion, kind, namespace, name])

const keyOfDeployment = ({ metadata: { namespace = '', name } }: Deployment): ObjectKey =>
  keyOfTarget({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name })

/** Sets the label while a propagated autoscaler scales the target. A label that this controller did not set is kept. */
async function markTarget(context: ReconcilerContext, key: ObjectKey, released: Set<ObjectKey>): Promise<void> {
  const [apiVersion, kindName, namespace, name] = JSON.parse(key) as [string, string, string, string]
  const kind = findTemplateKind(context, apiVersion, kindName)
  const target = kind && context.informers.of(kind).get(`${namespace}/${name}`)
  const isScaled = context.informers
    .of(horizontalPodAutoscaler)
    .listNamespace(namespace)
    .some((autoscaler) => keyOfTarget(targetOf(autoscaler)) === key && claimOn(autoscaler.metadata) !== undefined)
  const isMarked = target?.metadata.labels?.[RETAIN_REPLICAS_LABEL] === 'true'
  if (kind && target && isScaled !== isMarked && (isScaled || released.has(key))) {
    const value = { metadata: { labels: { [RETAIN_REPLICAS_LABEL]: isScaled ? 'true' : null } } }
    await context.client.patch(kind, target.metadata, { type: 'merge', value }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }
  released.delete(key)
}
