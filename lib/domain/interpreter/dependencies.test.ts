import { describe, expect, test } from 'vitest'
import type { UnknownObject } from '../../kube/object'
import { hasDependencyRule, interpretDependencies } from '.'

function anObject(apiVersion: string, kind: string, spec: object): UnknownObject {
  const metadata = {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  }
  return { apiVersion, kind, metadata, spec }
}

const dependenciesOf = (object: UnknownObject) =>
  interpretDependencies(object)?.map(({ kind, name }) => `${kind}/${name}`)
const ofPod = (spec: object) => dependenciesOf(anObject('v1', 'Pod', spec))
const container = (fields: object) => ({ name: 'main', image: 'nginx', ...fields })
const volume = (source: object) => ({ volumes: [{ name: 'data', ...source }] })
const template = (spec: object) => ({ template: { spec } })
const needsSettings = { containers: [container({ envFrom: [{ configMapRef: { name: 'settings' } }] })] }

describe('a pod depends on', () => {
  test.each<[string, object, string[]]>([
    ['nothing when it names nothing', { containers: [container({})] }, []],
    [
      'the ConfigMap of a variable',
      { containers: [container({ env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'a', key: 'k' } } }] })] },
      ['ConfigMap/a'],
    ],
    [
      'the Secret of a variable',
      { containers: [container({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: 'k' } } }] })] },
      ['Secret/a'],
    ],
    [
      'all variables of a ConfigMap',
      { initContainers: [container({ envFrom: [{ configMapRef: { name: 'a' } }] })] },
      ['ConfigMap/a'],
    ],
    [
      'all variables of a Secret',
      { ephemeralContainers: [container({ envFrom: [{ secretRef: { name: 'a' } }] })] },
      ['Secret/a'],
    ],
    ['a ConfigMap that it mounts', volume({ configMap: { name: 'a' } }), ['ConfigMap/a']],
    ['a Secret that it mounts', volume({ secret: { secretName: 'a' } }), ['Secret/a']],
    [
      'what is projected into a volume',
      volume({
        projected: { sources: [{ secret: { name: 'b' } }, { configMap: { name: 'a' } }, { downwardAPI: {} }] },
      }),
      ['ConfigMap/a', 'Secret/b'],
    ],
    ['a claim', volume({ persistentVolumeClaim: { claimName: 'disk' } }), ['PersistentVolumeClaim/disk']],
    ['the Secret of a CSI driver', volume({ csi: { driver: 'd', nodePublishSecretRef: { name: 'a' } } }), ['Secret/a']],
    ['the Secret of a file share', volume({ azureFile: { shareName: 's', secretName: 'a' } }), ['Secret/a']],
    ['the Secret of a storage cluster', volume({ cephfs: { monitors: [], secretRef: { name: 'a' } } }), ['Secret/a']],
    ['its pull secrets', { imagePullSecrets: [{ name: 'registry' }] }, ['Secret/registry']],
    ['its account', { serviceAccountName: 'robot' }, ['ServiceAccount/robot']],
    ['no account when it runs as the default one', { serviceAccountName: 'default' }, []],
    ['nothing by an empty name', { ...volume({ configMap: { name: '' } }), serviceAccountName: '' }, []],
  ])('%s', (_, spec, expected) => expect(ofPod(spec)).toEqual(expected))

  test('each object once, sorted by kind and name, in any order of the spec', () => {
    const spec = {
      containers: [container({ envFrom: ['b', 'a', 'b'].map((name) => ({ configMapRef: { name } })) })],
      imagePullSecrets: [{ name: 'z' }],
      serviceAccountName: 'robot',
      ...volume({ secret: { secretName: 'y' } }),
    }
    expect(ofPod(spec)).toEqual(['ConfigMap/a', 'ConfigMap/b', 'Secret/y', 'Secret/z', 'ServiceAccount/robot'])
  })
})

describe('dependencies are read from', () => {
  test.each<[string, string, object]>([
    ['apps/v1', 'Deployment', template(needsSettings)],
    ['apps/v1', 'ReplicaSet', template(needsSettings)],
    ['apps/v1', 'StatefulSet', template(needsSettings)],
    ['apps/v1', 'DaemonSet', template(needsSettings)],
    ['batch/v1', 'Job', template(needsSettings)],
    ['batch/v1', 'CronJob', { jobTemplate: { spec: template(needsSettings) } }],
    ['v1', 'Pod', needsSettings],
  ])('%s %s', (apiVersion, kind, spec) => {
    expect(interpretDependencies(anObject(apiVersion, kind, spec))).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
    ])
  })

  test('the certificates of an Ingress', () => {
    const spec = { tls: [{ hosts: ['a'], secretName: 'cert' }, { hosts: ['b'] }] }
    expect(dependenciesOf(anObject('networking.k8s.io/v1', 'Ingress', spec))).toEqual(['Secret/cert'])
  })

  test('a StatefulSet without the claims of its own templates', () => {
    const volumes = ['data', 'shared'].map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }))
    const spec = { ...template({ volumes }), volumeClaimTemplates: [{ metadata: { name: 'data' } }] }
    expect(dependenciesOf(anObject('apps/v1', 'StatefulSet', spec))).toEqual(['PersistentVolumeClaim/shared'])
  })

  test('an imported Service: the derived Service, and its EndpointSlices by label', () => {
    expect(interpretDependencies(anObject('multicluster.x-k8s.io/v1alpha1', 'ServiceImport', {}))).toEqual([
      { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'derived-web' },
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        namespace: 'shop',
        labelSelector: { matchLabels: { 'kubernetes.io/service-name': 'derived-web' } },
      },
    ])
    expect(hasDependencyRule({ apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceImport' })).toBe(true)
  })

  test('no other kind, and no older version', () => {
    expect(interpretDependencies(anObject('v1', 'ConfigMap', {}))).toBeUndefined()
    expect(hasDependencyRule({ apiVersion: 'apps/v1beta1', kind: 'Deployment' })).toBe(false)
  })
})
