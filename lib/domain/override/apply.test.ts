import { describe, expect, test } from 'vitest'
import type { Overriders } from '../../kube/kinds/override-spec'
import type { Manifest } from '../interpreter'
import { applyOverrides, OverrideError, type OverridePolicyLike } from '.'

const server = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
const policy: OverridePolicyLike = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: { name: 'tune', namespace: 'shop', ...server },
  spec: {},
}
const web = (image = 'nginx:1.27'): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web', tier: 'front' } },
  spec: {
    replicas: 2,
    template: {
      spec: {
        initContainers: [{ name: 'init', image: 'busybox:1' }],
        containers: [
          { name: 'web', image, args: ['--verbose', '--port=80'] },
          { name: 'side', image: 'envoy:1' },
        ],
      },
    },
  },
})
const config = (text: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web', namespace: 'shop' },
  data: { 'app.conf': text },
})
const apply = (manifest: Manifest, ...rules: Overriders[]) =>
  applyOverrides(manifest, { cluster: 'member1', steps: rules.map((overriders) => ({ policy, overriders })) }).manifest

interface Pods {
  template: { spec: { containers: object[] } }
}
const containersOf = (manifest: Manifest) => (manifest.spec as Pods).template.spec.containers

type ImageOverrider = NonNullable<Overriders['imageOverrider']>[number]
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`
const image = (component: ImageOverrider['component'], operator: ImageOverrider['operator'], value?: string) => ({
  component,
  operator,
  ...(value !== undefined && { value }),
})

describe('an image', () => {
  test.each<[string, ImageOverrider, string]>([
    ['nginx', image('Registry', 'add', 'reg.io'), 'reg.io/nginx'],
    ['reg.io/nginx:1', image('Registry', 'replace', 'eu.io:5000'), 'eu.io:5000/nginx:1'],
    ['reg.io:5000/a/nginx:1', image('Registry', 'remove'), 'a/nginx:1'],
    ['reg/nginx', image('Registry', 'add', '.eu'), 'reg.eu/nginx'],
    ['library/nginx', image('Registry', 'replace', 'reg.io'), 'reg.io/nginx'],
    ['reg.io/nginx:1', image('Repository', 'add', '/alpine'), 'reg.io/nginx/alpine:1'],
    ['reg.io/nginx:1', image('Repository', 'replace', 'httpd'), 'reg.io/httpd:1'],
    ['nginx:1', image('Tag', 'add', '-alpine'), 'nginx:1-alpine'],
    ['nginx', image('Tag', 'replace', '2'), 'nginx:2'],
    ['nginx:1', image('Tag', 'remove'), 'nginx'],
    ['nginx:1', image('Tag', 'replace', DIGEST), `nginx@${DIGEST}`],
    [`nginx@${DIGEST}`, image('Tag', 'replace', '2'), 'nginx:2'],
    [`nginx@${DIGEST}`, image('Tag', 'remove'), 'nginx'],
    [`nginx:1@${DIGEST}`, image('Registry', 'add', 'reg.io'), 'reg.io/nginx:1'],
    ['nginx:1', image('Tag', 'replace', 'not a tag'), 'nginx:1'],
  ])('%s after %o is %s', (from, overrider, to) => {
    expect(containersOf(apply(web(from), { imageOverrider: [overrider] }))[0]).toMatchObject({ image: to })
  })

  test('is changed in every container, but not in init containers', () => {
    const changed = apply(web(), { imageOverrider: [image('Registry', 'add', 'reg.io')] })
    expect(containersOf(changed)).toMatchObject([{ image: 'reg.io/nginx:1.27' }, { image: 'reg.io/envoy:1' }])
    expect(changed.spec).toMatchObject({ template: { spec: { initContainers: [{ image: 'busybox:1' }] } } })
  })

  test.each([
    ['Pod', { containers: [{ image: 'a' }] }],
    ['Job', { template: { spec: { containers: [{ image: 'a' }] } } }],
    ['StatefulSet', { template: { spec: { containers: [{ image: 'a' }] } } }],
  ])('is found in a %s', (kind, spec) => {
    const object = { apiVersion: 'v1', kind, metadata: { name: 'x' }, spec }
    expect(JSON.stringify(apply(object, { imageOverrider: [image('Tag', 'add', '1')] }))).toContain('"image":"a:1"')
  })

  test('is changed only at the predicate path, in any kind', () => {
    const predicate = { path: '/spec/template/spec/initContainers/0/image' }
    const changed = apply(web(), { imageOverrider: [{ ...image('Tag', 'replace', '2'), predicate }] })
    expect(changed.spec).toMatchObject({ template: { spec: { initContainers: [{ image: 'busybox:2' }] } } })
    expect(containersOf(changed)).toEqual(containersOf(web()))
  })

  test('of a kind without pods is ignored', () => {
    expect(apply(config('x'), { imageOverrider: [image('Tag', 'replace', '2')] })).toEqual(config('x'))
  })
})

describe('command and arguments', () => {
  test.each<[string, Overriders, object]>([
    [
      'are appended to',
      { argsOverrider: [{ containerName: 'web', operator: 'add', value: ['-x'] }] },
      { args: ['--verbose', '--port=80', '-x'] },
    ],
    [
      'lose what is removed',
      { argsOverrider: [{ containerName: 'web', operator: 'remove', value: ['--verbose'] }] },
      { args: ['--port=80'] },
    ],
    [
      'begin when there were none',
      { commandOverrider: [{ containerName: 'web', operator: 'add', value: ['/run'] }] },
      { command: ['/run'] },
    ],
  ])('%s', (_name, overriders, expected) => {
    const [first, second] = containersOf(apply(web(), overriders))
    expect(first).toMatchObject(expected)
    expect(second).toEqual(containersOf(web())[1])
  })
})

describe('labels and annotations', () => {
  test.each<[string, Overriders['labelsOverrider'], object]>([
    [
      'add writes over',
      [{ operator: 'add', value: { app: 'shop', 'a/b': 'c' } }],
      { app: 'shop', 'a/b': 'c', tier: 'front' },
    ],
    [
      'replace leaves absent ones absent',
      [{ operator: 'replace', value: { app: 'shop', x: 'y' } }],
      { app: 'shop', tier: 'front' },
    ],
    ['remove takes the key, whatever its value', [{ operator: 'remove', value: { app: '' } }], { tier: 'front' }],
    [
      'one after the other',
      [
        { operator: 'add', value: { x: '1' } },
        { operator: 'replace', value: { x: '2' } },
      ],
      { app: 'web', tier: 'front', x: '2' },
    ],
  ])('%s', (_name, labelsOverrider, expected) => {
    expect(apply(web(), { labelsOverrider }).metadata.labels).toEqual(expected)
  })

  test('annotations are created if there were none', () => {
    const annotationsOverrider = [{ operator: 'add' as const, value: { note: 'x' } }]
    expect(apply(web(), { annotationsOverrider }).metadata.annotations).toEqual({ note: 'x' })
  })
})

describe('a text that contains a document', () => {
  const change = { operator: 'replace' as const, subPath: '/db/host', value: 'eu' }

  test('is changed as JSON', () => {
    const fieldOverrider = [{ fieldPath: '/data/app.conf', json: [change] }]
    const changed = apply(config('{"db": {"host": "us", "port": 1}}'), { fieldOverrider })
    expect(changed.data).toEqual({ 'app.conf': '{"db":{"host":"eu","port":1}}' })
  })

  test('is changed as YAML', () => {
    const append = { operator: 'add' as const, subPath: '/list/-', value: 2 }
    const fieldOverrider = [
      { fieldPath: '/data/app.conf', yaml: [change, append, { operator: 'remove' as const, subPath: '/old' }] },
    ]
    const changed = apply(config('old: 1\nlist:\n  - 1\ndb:\n  host: us\n'), { fieldOverrider })
    expect(changed.data).toEqual({ 'app.conf': 'db:\n  host: eu\nlist:\n- 1\n- 2\n' })
  })
})

describe('a plain patch', () => {
  test('adds, replaces and removes in order, after all other overriders', () => {
    const changed = apply(web(), {
      labelsOverrider: [{ operator: 'add', value: { zone: 'a' } }],
      plaintext: [
        { operator: 'replace', path: '/metadata/labels/zone', value: 'b' },
        { operator: 'add', path: '/spec/strategy', value: {} },
        { operator: 'add', path: '/spec/strategy/type', value: 'Recreate' },
        { operator: 'remove', path: '/spec/template' },
      ],
    })
    expect(changed.metadata.labels).toMatchObject({ zone: 'b' })
    expect(changed.spec).toEqual({ replicas: 2, strategy: { type: 'Recreate' } })
  })

  test('without a value writes null', () => {
    expect(apply(web(), { plaintext: [{ operator: 'add', path: '/spec/paused' }] }).spec).toMatchObject({
      paused: null,
    })
  })
})

describe('impossible changes are errors', () => {
  test.each<[string, Manifest, Overriders, string]>([
    [
      'replace nothing',
      web(),
      { plaintext: [{ operator: 'replace', path: '/spec/x', value: 1 }] },
      'cannot replace /spec/x: path not found',
    ],
    [
      'remove nothing',
      web(),
      { plaintext: [{ operator: 'remove', path: '/spec/x' }] },
      'cannot remove /spec/x: path not found',
    ],
    [
      'add into nothing',
      web(),
      { plaintext: [{ operator: 'add', path: '/spec/x/y', value: 1 }] },
      'cannot add /spec/x/y: parent path not found',
    ],
    [
      'become nothing',
      web(),
      { plaintext: [{ operator: 'replace', path: '', value: null }] },
      'cannot replace : parent path not found',
    ],
    [
      'lose the kind',
      web(),
      { plaintext: [{ operator: 'remove', path: '/kind' }] },
      'the patched object has no apiVersion, kind or metadata',
    ],
    [
      'a malformed image',
      web('Not An Image'),
      { imageOverrider: [image('Tag', 'remove')] },
      '"Not An Image" is not a valid image reference',
    ],
    [
      'no image there',
      web(),
      { imageOverrider: [{ ...image('Tag', 'remove'), predicate: { path: '/spec/x' } }] },
      'no image at /spec/x',
    ],
    [
      'no text there',
      config(''),
      { fieldOverrider: [{ fieldPath: '/data/other', json: [] }] },
      'no string at /data/other',
    ],
    [
      'no JSON there',
      config('{'),
      { fieldOverrider: [{ fieldPath: '/data/app.conf', json: [{ operator: 'remove', subPath: '/a' }] }] },
      'the string at /data/app.conf is not valid JSON',
    ],
  ])('%s', (_name, manifest, overriders, reason) => {
    const attempt = () => apply(manifest, overriders)
    expect(attempt).toThrow(OverrideError)
    expect(attempt).toThrow(`override policy(shop/tune) cannot be applied for cluster(member1): ${reason}`)
  })
})

test('nothing is changed in place', () => {
  const before = structuredClone(web())
  const object = web()
  const plaintext = [{ operator: 'replace' as const, path: '/spec/replicas', value: 9 }]
  apply(object, { imageOverrider: [image('Tag', 'remove')], plaintext })
  expect(object).toEqual(before)
})

test('a later rule sees the result of an earlier one', () => {
  const rules = ['reg.io', '.eu'].map((part) => ({ imageOverrider: [image('Registry', 'add', part)] }))
  const changed = apply(web(), ...rules)
  expect(containersOf(changed)[0]).toMatchObject({ image: 'reg.io.eu/nginx:1.27' })
})
