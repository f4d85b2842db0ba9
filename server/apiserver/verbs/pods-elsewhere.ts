/** The control plane runs no pods: kubectl would wait a minute for the first one of a Deployment to talk to. */
import type { Ask } from '../api'
import { badRequest } from '../failures'
import type { Page } from '../views/form'

/** Commands that look for a pod of a workload, as kubectl names them in every request (KEP-859). */
const REACHING = new Set(['kubectl port-forward', 'kubectl exec', 'kubectl attach', 'kubectl logs'])

/** Throws 400 where such a command lists the pods of a workload and there is none. Members answer as any cluster does. */
export function refuseToBeWaitedFor({ call, keyspace, resource, target: { namespace } }: Ask, { entries }: Page): void {
  if (keyspace.name !== '' || resource.id !== 'pods' || entries.length > 0) return
  const command = String(call.headers['kubectl-command'] ?? '')
  if (!REACHING.has(command) || !call.query.get('labelSelector')) return
  const members = '/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy'
  throw badRequest(
    `no pod of this workload runs in namespace ${namespace ?? ''} of the control plane; `
      + `connect to the pods in a member cluster, at ${members}`,
  )
}
