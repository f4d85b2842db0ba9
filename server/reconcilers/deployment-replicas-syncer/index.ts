/** Synchronizes the replicas of templates with those that members' autoscalers set. See README.md. */
import { replicasToFollow } from '@/lib/domain/propagation'
import { type Deployment, deployment as deploymentKind, resourceBinding, type ResourceBinding } from '@/lib/kube/kinds'
import { bindingNameOf, RETAIN_REPLICAS_LABEL } from '@/lib/kube/names'
import { keyOf, type ObjectKey } from '@/lib/kube/object'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { writeChanges } from '../shared/object-writes'

export function deploymentReplicasSyncerController(context: ReconcilerContext): Controller {
  return {
    name: 'deployment-replicas-syncer',
    watches: [
      watch({ kind: deploymentKind, relevant: (change) => change.type !== 'deleted' && followsMembers(change.object) }),
      watch({
        kind: resourceBinding,
        // Every status of every binding is checked here, and few templates are synced; the start of syncing triggers a
        // reconcile itself.
        relevant: (change) =>
          change.type === 'updated'
          && change.object.spec.resource.kind === deploymentKind.kind
          && followsMembers(context.informers.of(deploymentKind).get(templateKeyOf(change.object))),
        keys: (change) => (change.type === 'deleted' ? [] : [templateKeyOf(change.object)]),
      }),
    ],
    reconcile: (key) => followMembers(context, key),
  }
}

const followsMembers = (template: Deployment | undefined): boolean =>
  template?.metadata.labels?.[RETAIN_REPLICAS_LABEL] === 'true'

const templateKeyOf = ({ metadata: { namespace = '' }, spec }: ResourceBinding): ObjectKey =>
  keyOf({ namespace, name: spec.resource.name })

async function followMembers({ client, informers, log }: ReconcilerContext, key: ObjectKey): Promise<void> {
  const from = informers.of(deploymentKind).get(key)
  if (!from || from.metadata.deletionTimestamp) return
  const { namespace = '', name } = from.metadata
  const binding = informers
    .of(resourceBinding)
    .get(keyOf({ namespace, name: bindingNameOf(deploymentKind.kind, name) }))
  const replicas = binding && replicasToFollow(from, binding)
  if (replicas === undefined) return
  await writeChanges(client, deploymentKind, { from, to: { ...from, spec: { ...from.spec, replicas } } })
  log.debug({ deployment: key, replicas }, 'the template follows the replicas of its members')
}
