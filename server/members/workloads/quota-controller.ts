/** Counts the usage of each ResourceQuota: requests and limits of pods, and objects. */
import {
  configMap as configMapKind,
  persistentVolumeClaim as claimKind,
  pod as podKind,
  type Pod,
  resourceQuota as quotaKind,
  secret as secretKind,
  service as serviceKind,
} from '@/lib/kube/kinds'
import type { Kind } from '@/lib/kube/kind'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import { addQuantity, formatQuantity, parseQuantity, type Quantity, ZERO } from '@/lib/kube/quantity'
import { ownField } from '@/lib/std/fields'
import { type Controller, watch } from '@/server/runtime/controller'
import { GATHER_MS, type MemberContext } from '../member-context'
import { isSameStatus } from '../same-status'

/** Kinds that are counted as objects; the first two are watched, the others are counted with the next change. */
const COUNTED: readonly Kind[] = [serviceKind, claimKind, configMapKind, secretKind]
const FOLLOWED = [podKind, serviceKind, claimKind] as const

export function quotaController({ informers, ...member }: MemberContext): Controller {
  const quotas = informers.of(quotaKind)
  return {
    name: 'quota',
    watches: [watch({ kind: quotaKind })],
    reads: [...FOLLOWED],
    start: (queue) => {
      const stops = FOLLOWED.map((kind) =>
        informers.of(kind).onChange((change) => {
          const { namespace = '' } = (change.type === 'deleted' ? change.old : change.object).metadata
          for (const quota of quotas.listNamespace(namespace)) queue.addAfter(objectKey(quota), GATHER_MS)
        }),
      )
      return () => {
        for (const stop of stops) stop()
      }
    },
    reconcile: (key) => reconcile({ ...member, informers }, key),
  }
}

async function reconcile({ client, informers }: MemberContext, key: ObjectKey): Promise<void> {
  const quota = informers.of(quotaKind).get(key)
  if (!quota || quota.metadata.deletionTimestamp) return
  const { namespace = '', name } = quota.metadata
  const hard = quota.spec?.hard ?? {}
  const pods = informers.of(podKind).listNamespace(namespace).filter(isCounted)
  const counts = new Map<string, number>([['pods', pods.length]])
  for (const kind of COUNTED) {
    if (!isAsked(hard, kind.plural)) continue
    counts.set(kind.plural, (await client.list(kind, { namespace })).items.length)
  }
  const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, usedOf(resource, pods, counts)]))
  const status = { hard, used }
  if (isSameStatus(quota.status, status)) return
  await client.patch(quotaKind, { namespace, name }, { type: 'merge', value: { status } }, { subresource: 'status' })
}

const isAsked = (hard: object, plural: string): boolean =>
  ownField(hard, plural) !== undefined || ownField(hard, `count/${plural}`) !== undefined

/** A pod that has ended uses nothing. */
const isCounted = ({ status }: Pod): boolean => status?.phase !== 'Succeeded' && status?.phase !== 'Failed'

function usedOf(resource: string, pods: readonly Pod[], counts: ReadonlyMap<string, number>): string {
  const counted = counts.get(resource.replace(/^count\//, ''))
  if (counted !== undefined) return String(counted)
  const [, which = 'requests', name = resource] = /^(requests|limits)\.(.+)$/.exec(resource) ?? []
  return formatQuantity(
    pods.map((pod) => amountOf(pod, which as 'requests' | 'limits', name)).reduce(addQuantity, ZERO),
  )
}

function amountOf({ spec }: Pod, which: 'requests' | 'limits', name: string): Quantity {
  const amounts = (spec.containers ?? []).map(({ resources }) => ownField(resources?.[which] ?? {}, name))
  return amounts
    .filter((amount): amount is string => amount !== undefined)
    .map((amount) => parseQuantity(amount))
    .reduce(addQuantity, ZERO)
}
