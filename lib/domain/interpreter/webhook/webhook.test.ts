import { describe, expect, test } from 'vitest'
import type { ResourceInterpreterWebhookConfiguration } from '../../../kube/kinds/resource-interpreter-webhook-configuration'
import type { UnknownObject } from '../../../kube/object'
import { encodeBase64 } from '../../../std/base64'
import { contextOf, hookAnswers, HookCatalog, patchedBy, responseIn } from '.'

const object = {
  apiVersion: 'example.io/v1',
  kind: 'Flock',
  metadata: { name: 'birds', namespace: 'shop' },
  spec: { size: 1 },
} as unknown as UnknownObject

type Rule = NonNullable<ResourceInterpreterWebhookConfiguration['webhooks'][number]['rules']>[number]
const rule = (rest: Partial<Rule> = {}): Rule => ({
  operations: ['InterpretHealth'],
  apiGroups: ['example.io'],
  apiVersions: ['v1'],
  kinds: ['Flock'],
  ...rest,
})
const configuration = (name: string, ...rules: Rule[]) =>
  ({
    metadata: { name },
    webhooks: [{ name: 'w', rules, clientConfig: {}, interpreterContextVersions: ['v1alpha1'] }],
  }) as unknown as ResourceInterpreterWebhookConfiguration

describe('a webhook is called', () => {
  test.each<[string, Rule, boolean]>([
    ['by its rule', rule(), true],
    ['for every operation, version and kind', rule({ operations: ['*'], apiVersions: ['*'], kinds: ['*'] }), true],
    ['not for another operation', rule({ operations: ['Retain'] }), false],
    ['not for another group', rule({ apiGroups: [''] }), false],
    ['not for another version', rule({ apiVersions: ['v2'] }), false],
    ['not for another kind', rule({ kinds: ['Herd'] }), false],
  ])('%s', (_, one, expected) => {
    expect(new HookCatalog([configuration('a', one)]).find(object, 'health') !== undefined).toBe(expected)
  })

  test('before those later by name', () => {
    const catalog = new HookCatalog([configuration('b', rule()), configuration('a', rule())])
    expect(catalog.find(object, 'health')?.id).toBe('a/w')
  })

  test('for a kind of the core group', () => {
    const pods = rule({ apiGroups: [''], kinds: ['Pod'] })
    expect(new HookCatalog([configuration('a', pods)]).find({ apiVersion: 'v1', kind: 'Pod' }, 'health')).toBeDefined()
  })
})

test('the request contains the object, the operation and the number of replicas', () => {
  expect(contextOf('u', ['v1', 'v1alpha1'], { operation: 'revise', object, replicas: 3 })).toEqual({
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterContext',
    request: {
      uid: 'u',
      kind: { group: 'example.io', version: 'v1', kind: 'Flock' },
      name: 'birds',
      namespace: 'shop',
      operation: 'ReviseReplica',
      object,
      replicas: 3,
    },
  })
  expect(() => contextOf('u', ['v2'], { operation: 'health', object })).toThrow('does not accept known')
})

const answered = (rest: object): unknown => ({ response: { uid: 'u', successful: true, ...rest } })

describe('the response', () => {
  test.each<[string, unknown, string]>([
    ['none', {}, 'webhook response was absent'],
    ['to another request', answered({ uid: 'other' }), 'expected response.uid "u", got "other"'],
    ['a failure without words', answered({ successful: false }), 'webhook require response.status'],
    [
      'a failure',
      answered({ successful: false, status: { code: 400, message: 'no' } }),
      'get status code: 400, msg: no',
    ],
  ])('%s is an error', (_, context, message) => {
    expect(() => responseIn('u', context)).toThrow(message)
  })

  test.each<[string, () => unknown, unknown]>([
    ['health', () => hookAnswers.health({ healthy: false }), false],
    [
      'replicas',
      () => hookAnswers.replicas({ replicas: 2, replicaRequirements: { resourceRequest: { cpu: '0.1' } } }),
      { replicas: 2, requirements: { resourceRequest: { cpu: '100m' } } },
    ],
    ['a status as it is', () => hookAnswers.reflect({ rawStatus: { list: [] } }), { list: [] }],
    ['no dependencies', () => hookAnswers.dependencies({}), []],
    ['an object without a patch', () => patchedBy({}, object), object],
    [
      'a patch',
      () =>
        patchedBy(
          { patchType: 'JSONPatch', patch: encodeBase64('[{"op":"add","path":"/spec/tags","value":[]}]') },
          object,
        ).spec,
      { size: 1, tags: [] },
    ],
  ])('%s', (_, read, expected) => expect(read()).toEqual(expected))

  test.each<[string, () => unknown, string]>([
    ['no health', () => hookAnswers.health({}), 'webhook returned nil response.healthy'],
    ['no status', () => hookAnswers.reflect({ rawStatus: null }), 'webhook returned nil response.rawStatus'],
    ['a patch of another type', () => patchedBy({ patch: 'W10=', patchType: 'Merge' }, object), 'response.patchType'],
    ['no patch', () => patchedBy({ patchType: 'JSONPatch' }, object), 'empty response.patch'],
    ['half a patch', () => patchedBy({ patch: 'W3s=', patchType: 'JSONPatch' }, object), 'JSON'],
    [
      'a patch that removes the kind',
      () => patchedBy({ patchType: 'JSONPatch', patch: encodeBase64('[{"op":"remove","path":"/kind"}]') }, object),
      'no object of the API',
    ],
  ])('%s is an error', (_, read, message) => expect(read).toThrow(message))
})
