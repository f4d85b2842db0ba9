import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BindingSpec } from '../../kube/kinds/binding'
import type { KubeObject, ObjectMeta } from '../../kube/object'
import type { Binding } from '../propagation'
import {
  attachBinding,
  dependedByLabel,
  dependencyKeyOf,
  detachBinding,
  mergeReferrers,
  recordDependencies,
  recordedDependencies,
  unneededBindings,
} from '.'

const meta = { uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z', namespace: 'shop' }
const settings: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...meta, name: 'settings' } }
const settingsReference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' }

function aBinding(name: string, spec: Partial<BindingSpec> = {}, metadata: Partial<ObjectMeta> = {}): Binding {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name }
  const labels = { 'resourcebinding.karmada.io/permanent-id': `id-${name}` }
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { ...meta, name: `${name}-deployment`, labels, ...metadata },
    spec: { resource, placement: {}, ...spec },
  }
}

const on = (...names: string[]) => names.map((name) => ({ name, replicas: 2 }))
const web = aBinding('web', { clusters: on('member1', 'member2') })
const api = aBinding('api', {
  clusters: on('member3'),
  conflictResolution: 'Overwrite',
  preserveResourcesOnDeletion: true,
})

/** Fills in what the server sets on a draft. */
const stored = (draft: ReturnType<typeof attachBinding>): Binding =>
  ({ ...draft, metadata: { ...meta, ...draft.metadata } }) as Binding
const attached = stored(attachBinding({ independent: web, dependency: settings }))
const shared = stored(attachBinding({ independent: api, dependency: settings, existing: attached, others: [web] }))

describe('the binding of a dependency', () => {
  test('belongs to the object, has no placement, and lists the bindings that need it, with their clusters', () => {
    expect(attachBinding({ independent: web, dependency: settings })).toEqual({
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: {
        name: 'settings-configmap',
        namespace: 'shop',
        finalizers: ['karmada.io/binding-controller'],
        labels: { [dependedByLabel({ namespace: 'shop', name: 'web-deployment' })]: 'id-web' },
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: 'settings',
            uid: 'u',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        resource: { ...settingsReference, uid: 'u', resourceVersion: '7' },
        conflictResolution: 'Abort',
        preserveResourcesOnDeletion: false,
        requiredBy: [{ namespace: 'shop', name: 'web-deployment', clusters: on('member1', 'member2') }],
      },
    })
  })

  test('is unchanged if nothing changed', () => {
    expect(attachBinding({ independent: web, dependency: settings, existing: attached })).toEqual(attached)
  })

  test('follows to other clusters, and gets the version of the object', () => {
    const moved = aBinding('web', { clusters: on('member3') })
    const dependency = { ...settings, metadata: { ...settings.metadata, resourceVersion: '8' } }
    const { spec } = attachBinding({ independent: moved, dependency, existing: shared, others: [api] })
    expect(spec.resource.resourceVersion).toBe('8')
    expect(spec.requiredBy?.map(({ name, clusters }) => [name, clusters?.map((cluster) => cluster.name)])).toEqual([
      ['web-deployment', ['member3']],
      ['api-deployment', ['member3']],
    ])
  })

  test('claimed by a policy, changes only its list of referrers', () => {
    const claimed = aBinding('settings', { clusters: on('member4'), conflictResolution: 'Abort' })
    const { spec, metadata } = attachBinding({ independent: api, dependency: settings, existing: claimed })
    expect(spec).toEqual({
      ...claimed.spec,
      requiredBy: [{ namespace: 'shop', name: 'api-deployment', clusters: on('member3') }],
    })
    expect(metadata.labels).toMatchObject({
      'resourcebinding.karmada.io/permanent-id': 'id-settings',
      [dependedByLabel(api.metadata)]: 'id-api',
    })
    expect(detachBinding(stored({ ...claimed, spec }), api.metadata, []).spec).toEqual(claimed.spec)
  })

  test('outlives its last referrer, without any trace of it', () => {
    const without = stored(detachBinding(shared, api.metadata, [web]))
    expect(without).toEqual(attached)
    const alone = detachBinding(without, web.metadata, [])
    expect(alone.metadata.labels).toEqual({})
    expect(alone.spec).toEqual({ resource: attached.spec.resource, conflictResolution: 'Abort' })
  })

  test('is not detached from a binding of the same name in another namespace', () => {
    expect(detachBinding(attached, { namespace: 'other', name: 'web-deployment' }, [web])).toEqual(attached)
  })

  test('is detached when its object is no longer a dependency', () => {
    expect(unneededBindings([attached], [settingsReference])).toEqual([])
    expect(unneededBindings([attached], [{ ...settingsReference, kind: 'Secret' }])).toEqual([attached])
  })
})

describe('several bindings that need the same object', () => {
  const wishing = (conflictResolution?: 'Abort' | 'Overwrite', preserveResourcesOnDeletion?: boolean) => ({
    spec: {
      ...(conflictResolution && { conflictResolution }),
      ...(preserveResourcesOnDeletion !== undefined && { preserveResourcesOnDeletion }),
    },
  })
  const RESOLUTION = 'ConflictResolution conflicted (Overwrite vs Abort)'
  const PRESERVE = 'PreserveResourcesOnDeletion conflicted (true vs false)'

  test.each<[string, ReturnType<typeof wishing>[], [string, boolean | undefined], string[]]>([
    ['no referrer is left', [], ['Abort', undefined], []],
    ['one says nothing', [wishing()], ['Abort', false], []],
    ['all say the same', [wishing('Overwrite', true), wishing('Overwrite', true)], ['Overwrite', true], []],
    ['saying nothing means the default', [wishing('Abort', false), wishing()], ['Abort', false], []],
    ['one overwrites', [wishing(), wishing('Overwrite')], ['Overwrite', false], [RESOLUTION]],
    ['one preserves', [wishing('Abort', true), wishing('Abort')], ['Abort', true], [PRESERVE]],
    ['nothing is agreed', [wishing('Overwrite'), wishing('Abort', true)], ['Overwrite', true], [RESOLUTION, PRESERVE]],
  ])('%s', (_, referrers, [conflictResolution, preserveResourcesOnDeletion], conflicts) => {
    expect(mergeReferrers(referrers)).toEqual({
      fields: { conflictResolution, preserveResourcesOnDeletion },
      conflicts,
    })
  })
})

test('attach and detach in any order: exactly the attached ones are listed, without duplicates', () => {
  const everyone = ['a', 'b', 'c', 'd'].map((name) => aBinding(name, { clusters: on(`member-${name}`) }))
  const move = fc.record({ who: fc.nat({ max: everyone.length - 1 }), comes: fc.boolean() })
  fc.assert(
    fc.property(fc.array(move), (moves) => {
      let binding: Binding | undefined
      const present = new Set<Binding>()
      for (const { who, comes } of moves) {
        const one = everyone[who]!
        present.delete(one)
        const others = [...present]
        if (comes)
          binding = stored(attachBinding({ independent: one, dependency: settings, existing: binding, others }))
        else if (binding) binding = stored(detachBinding(binding, one.metadata, others))
        if (comes) present.add(one)
      }
      const named = binding?.spec.requiredBy?.map(({ name }) => name) ?? []
      expect(named.toSorted()).toEqual([...present].map(({ metadata }) => metadata.name).toSorted())
      const labels = [...present].map(({ metadata }) => dependedByLabel(metadata))
      expect(Object.keys(binding?.metadata.labels ?? {}).toSorted()).toEqual(labels.toSorted())
    }),
    { seed: 81 },
  )
})

describe('recorded dependencies', () => {
  test('are read as written, and keep the binding by a finalizer', () => {
    const recorded = recordDependencies(web, [settingsReference])
    expect(recorded.metadata.annotations).toEqual({
      'resourcebinding.karmada.io/dependencies':
        '[{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"settings"}]',
    })
    expect(recorded.metadata.finalizers).toEqual(['karmada.io/binding-dependencies-distributor'])
    expect(recordedDependencies(stored(recorded))).toEqual([settingsReference])
    expect(recordDependencies(stored(recorded), [settingsReference])).toEqual(recorded)
  })

  test.each([
    undefined,
    'null',
    '{}',
    'no json',
    '[null]',
    '[{"kind":"ConfigMap"}]',
    '[{"apiVersion":"v1","kind":"Secret","labelSelector":null}]',
  ])('with %s are ignored', (text) => {
    const annotations: Record<string, string> =
      text === undefined ? {} : { 'resourcebinding.karmada.io/dependencies': text }
    expect(recordedDependencies(aBinding('web', {}, { annotations }))).toEqual([])
  })

  test('by labels are read as written, and match objects with these labels', () => {
    const byLabel = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'shop',
      labelSelector: { matchLabels: { of: 'web' } },
    }
    expect(recordedDependencies(stored(recordDependencies(web, [byLabel])))).toEqual([byLabel])
    expect(unneededBindings([attached], [byLabel], [settings])).toEqual([])
    expect(unneededBindings([attached], [byLabel], [])).toEqual([attached])
  })

  test('have distinct keys if any part of the reference differs', () => {
    const references = [
      settingsReference,
      { ...settingsReference, kind: 'Secret' },
      { ...settingsReference, namespace: 'other' },
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' },
    ]
    expect(new Set(references.map(dependencyKeyOf)).size).toBe(4)
  })
})
