/** Publishes the address of each Ingress, as an ingress controller does. */
import { ingress as ingressKind } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { type Controller, watch } from '@/server/runtime/controller'
import type { MemberContext } from '../member-context'
import { balancerAddress } from './balancer'

export function ingressController(member: MemberContext): Controller {
  return { name: 'ingress', watches: [watch({ kind: ingressKind })], reconcile: (key) => reconcile(member, key) }
}

/** Publishes the address; all Ingresses of a member share one. An address from another controller is kept. */
async function reconcile({ client, informers, name: member }: MemberContext, key: ObjectKey): Promise<void> {
  const ingress = informers.of(ingressKind).get(key)
  if (!ingress || ingress.metadata.deletionTimestamp) return
  if (ingress.status?.loadBalancer?.ingress?.length) return
  const ip = balancerAddress(member, 'ingress')
  const { namespace, name } = ingress.metadata
  const value = { status: { loadBalancer: { ingress: [{ ip }] } } }
  await client.patch(ingressKind, { namespace, name }, { type: 'merge', value }, { subresource: 'status' })
}
