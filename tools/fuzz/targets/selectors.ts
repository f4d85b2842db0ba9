/** Label and field selectors and the other parameters of lists and watches. */
import type { Rng } from '@/lib/std/rng'
import { breakText, chance, pick } from '../broken/mutate'
import { request, type Step, TENANT } from '../steps'
import type { Target } from '../target'
import { nativeKeys, size, times, word } from '../text'

const collections = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/pods',
  '/api/v1/pods',
  '/api/v1/namespaces',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings',
  '/apis/cluster.karmada.io/v1alpha1/clusters',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
  '/api/v1/namespaces/default/events',
  '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  '/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy/api/v1/pods',
]

export const selectors: Target = {
  name: 'selectors',
  generate: (rng, name) => ({ name, steps: times(1 + rng.below(10), () => question(rng)) }),
}

function question(rng: Rng): Step {
  const query = new URLSearchParams()
  if (chance(rng, 0.7)) query.set('labelSelector', maybeBroken(rng, labels(rng)))
  if (chance(rng, 0.5)) query.set('fieldSelector', maybeBroken(rng, fields(rng)))
  if (chance(rng, 0.2)) query.set('limit', pick(rng, ['1', '0', '-1', '99999999999', 'x']))
  if (chance(rng, 0.1))
    query.set(
      'continue',
      pick(rng, ['x', 'e30', Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"\\u0000"}').toString('base64')]),
    )
  if (chance(rng, 0.15)) query.set('watch', 'true')
  if (chance(rng, 0.1)) query.set('resourceVersion', pick(rng, ['0', '1', '-1', '99999999', 'x']))
  const method = chance(rng, 0.1) ? 'DELETE' : 'GET'
  const as = chance(rng, 0.7) ? { as: TENANT } : {}
  // Only objects selected by an invalid selector may be deleted.
  const path = method === 'DELETE' ? (collections[0] as string) : pick(rng, collections)
  if (method === 'DELETE' && !query.has('labelSelector')) query.set('labelSelector', 'fuzz-never=x')
  const accept = pick(rng, [
    'application/json',
    'application/json',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  ])
  return request(method, `${path}?${query.toString().slice(0, 15_000)}`, undefined, { ...as, headers: { accept } })
}

const maybeBroken = (rng: Rng, text: string): string =>
  chance(rng, 0.2) ? breakText(rng, text).slice(0, 12_000) : text

function labels(rng: Rng): string {
  return times(chance(rng, 0.1) ? size(rng, 600) : 1 + rng.below(4), () => {
    const key = word(rng)
    const values = times(chance(rng, 0.1) ? size(rng, 600) : 1 + rng.below(3), () => word(rng)).join(',')
    return pick(rng, [
      key,
      `!${key}`,
      `${key}=${word(rng)}`,
      `${key}==${word(rng)}`,
      `${key}!=${word(rng)}`,
      `${key} in (${values})`,
      `${key} notin (${values})`,
      `${key} in ((${values}`,
      `${key}>1`,
      `${key}<${word(rng)}`,
      `(${key})`,
      ' '.repeat(size(rng, 4000)),
      '('.repeat(size(rng, 4000)),
      '!'.repeat(size(rng, 4000)),
      `${'a'.repeat(size(rng, 4000))} `,
    ])
  }).join(',')
}

function fields(rng: Rng): string {
  const paths = [
    'metadata.name',
    'metadata.namespace',
    'spec.nodeName',
    'status.phase',
    'involvedObject.name',
    ...nativeKeys,
    'metadata.__proto__.x',
    'a.b.c',
    '',
    'spec.containers[0].name',
    `${'a.'.repeat(300)}a`,
  ]
  return times(
    chance(rng, 0.1) ? size(rng, 300) : 1 + rng.below(3),
    () => `${pick(rng, paths)}${pick(rng, ['=', '==', '!=', '', '=\\,', '=a\\'])}${word(rng)}`,
  ).join(',')
}
