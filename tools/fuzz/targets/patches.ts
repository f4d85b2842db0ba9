/** Patches of all kinds on one object: operations that grow, move and name what must not be named. */
import type { Rng } from '@/lib/std/rng'
import { chance, mutate, oddities, pick } from '../broken/mutate'
import { PATCH_TYPES, request, setup, type Step, TENANT } from '../steps'
import type { Target } from '../target'
import { nativeKeys, size, times, word } from '../text'

interface Stage {
  collection: string
  object: object
  /** JSON pointers that exist. */
  pointers: readonly string[]
}

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'f' } },
    template: {
      metadata: { labels: { app: 'f' } },
      spec: {
        containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] }],
      },
    },
  },
}

const stages: readonly Stage[] = [
  {
    collection: '/api/v1/namespaces/default/configmaps',
    object: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b', c: 'd' } },
    pointers: ['/data', '/data/a', '/metadata/labels', '/metadata/annotations', '/metadata/name', '/metadata', ''],
  },
  {
    collection: '/apis/apps/v1/namespaces/default/deployments',
    object: deployment,
    pointers: [
      '/spec',
      '/spec/template/spec/containers',
      '/spec/template/spec/containers/0',
      '/spec/template',
      '/spec/replicas',
      '/spec/template/spec/containers/0/env/-',
      '/metadata/labels',
      '',
    ],
  },
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['a'] }],
    },
    pointers: ['/rules', '/rules/0', '/rules/0/verbs/-', '/rules/-', '/metadata/labels', ''],
  },
  {
    collection: '/apis/policy.karmada.io/v1alpha1/namespaces/default/overridepolicies',
    object: {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'OverridePolicy',
      spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }], overrideRules: [{ overriders: {} }] },
    },
    pointers: ['/spec', '/spec/overrideRules/0', '/spec/overrideRules/0/overriders', ''],
  },
]

export const patches: Target = {
  name: 'patches',
  generate: (rng, name) => {
    const stage = pick(rng, stages)
    const path = `${stage.collection}/${name}`
    return {
      name,
      steps: [
        setup('POST', stage.collection, { ...stage.object, metadata: { name, labels: { l: 'v' } } }),
        ...times(1 + rng.below(8), () => onePatch(rng, stage, path)),
      ],
      cleanup: [request('DELETE', path)],
    }
  },
}

function onePatch(rng: Rng, stage: Stage, path: string): Step {
  const kind = pick(rng, ['json', 'json', 'merge', 'strategic', 'apply'] as const)
  const query = kind === 'apply' ? `?fieldManager=${pick(rng, ['a', 'b', 'c'])}&force=${chance(rng, 0.7)}` : ''
  const body = kind === 'json' ? operations(rng, stage) : JSON.stringify(partial(rng, { stage, kind }))
  return request('PATCH', path + query, body, { as: TENANT, type: PATCH_TYPES[kind] })
}

function operations(rng: Rng, { pointers }: Stage): string {
  if (chance(rng, 0.15)) return JSON.stringify(doubling(rng, pick(rng, pointers)))
  const pointer = (): string =>
    pick(rng, pointers) + (chance(rng, 0.4) ? `/${pick(rng, [...nativeKeys, '-', '0', '~1', '99999999999', 'x'])}` : '')
  const list = times(1 + rng.below(chance(rng, 0.05) ? 3000 : 5), () => ({
    op: pick(rng, ['add', 'add', 'replace', 'remove', 'copy', 'move', 'test']),
    path: pointer(),
    from: pointer(),
    value: chance(rng, 0.3) ? deep(rng) : pick(rng, oddities),
  }))
  return JSON.stringify(list)
}

/** Each operation copies all that was there into itself. */
function doubling(rng: Rng, pointer: string): unknown[] {
  return times(1 + rng.below(30), (n) => ({ op: 'copy', from: pointer, path: `${pointer}/x${n}` }))
}

/** Deep, but valid JSON. */
function deep(rng: Rng): unknown {
  let value: unknown = 'x'
  for (let depth = size(rng, 2000); depth > 0; depth--) value = depth % 2 ? { a: value } : [value]
  return value
}

function partial(rng: Rng, { stage, kind }: { stage: Stage; kind: 'merge' | 'strategic' | 'apply' }): unknown {
  const identity = kind === 'apply' ? stage.object : {}
  const extra = kind === 'strategic' && chance(rng, 0.6) ? directives(rng) : growth(rng)
  return chance(rng, 0.3) ? mutate(rng, { ...identity, ...stage.object }) : merged({ ...identity }, extra)
}

function merged(identity: object, extra: object): object {
  return { ...identity, ...extra }
}

/** More of everything, with names that JavaScript objects also have. */
function growth(rng: Rng): object {
  const keys = chance(rng, 0.5) ? nativeKeys : times(size(rng, 20_000), (n) => `k${n}`)
  const own = Object.fromEntries(keys.map((key) => [key, pick(rng, ['v', null, {}, []])]))
  return pick(rng, [
    { metadata: { labels: own } },
    { metadata: { annotations: own } },
    { data: own },
    own,
    { spec: own },
    { metadata: { managedFields: [own] } },
    { metadata: { finalizers: keys.map((key) => `x/${key}`) } },
  ])
}

function directives(rng: Rng): object {
  const list = times(size(rng, 4000), (n) => ({
    name: pick(rng, [`c${n}`, 'c', word(rng)]),
    ...(chance(rng, 0.3) && { $patch: pick(rng, ['delete', 'replace', 'merge', 'x']) }),
  }))
  return {
    spec: {
      template: {
        spec: {
          containers: list,
          ...(chance(rng, 0.5) && { '$setElementOrder/containers': list.map(({ name }) => ({ name })) }),
          ...(chance(rng, 0.3) && { '$deleteFromPrimitiveList/containers': [1, 'x'], $retainKeys: [word(rng)] }),
        },
      },
      $patch: pick(rng, [undefined, 'replace', 'delete', 'x']),
    },
  }
}
