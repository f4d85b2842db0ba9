import { describe, expect, it } from 'vitest'
import { mutatingWebhookConfiguration } from '../kinds'
import { KubeError } from '../errors'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }
const webhook = {
  name: 'a.hooks.test',
  clientConfig: { url: 'https://hook.test/review' },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
}

function create(...webhooks: object[]): UnknownObject {
  const { group, version, kind } = mutatingWebhookConfiguration
  const metadata = { name: 'config', uid: 'u', resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' }
  const context = { now: '2026-01-01T00:00:00Z', uid: () => 'UID' }
  return strategyOf(mutatingWebhookConfiguration).create(
    { apiVersion: `${group}/${version}`, kind, metadata, webhooks },
    context,
  )
}

function refusal(...webhooks: object[]): string[] {
  try {
    create(...webhooks)
  } catch (error) {
    if (error instanceof KubeError && error.code === 422) {
      return (error.status.details?.causes ?? []).map(({ field = '', message = '' }) => `${field}: ${message}`)
    }
    throw error
  }
  return []
}

describe('a webhook configuration', () => {
  it('says everything once it is stored', () => {
    expect(create({ ...webhook, clientConfig: { service: { name: 's', namespace: 'n' } } })).toMatchObject({
      metadata: { generation: 1 },
      webhooks: [
        {
          clientConfig: { service: { port: 443 } },
          failurePolicy: 'Fail',
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          reinvocationPolicy: 'Never',
          timeoutSeconds: 10,
          rules: [{ ...rule, scope: '*' }],
        },
      ],
    })
  })

  it.each<[object, string[]]>([
    [{}, []],
    [{ name: '' }, ['webhooks[0].name: Required value']],
    [
      { name: 'a.b' },
      ['webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    ],
    [{ sideEffects: undefined }, ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun']],
    [
      { sideEffects: 'Some' },
      ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    [
      { failurePolicy: 'Maybe' },
      ['webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    ],
    [
      { timeoutSeconds: 31 },
      ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [
      { timeoutSeconds: 0 },
      ['webhooks[0].timeoutSeconds: Invalid value: 0: the timeout value must be between 1 and 30 seconds'],
    ],
    [{ clientConfig: {} }, ['webhooks[0].clientConfig: Required value: exactly one of url or service is required']],
    [
      { clientConfig: { url: 'http://hook.test' } },
      [
        `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: `
          + 'https://host[/path]',
      ],
    ],
    [{ clientConfig: { url: 'http://127.0.0.1:8080/x' } }, []],
    [{ clientConfig: { url: 'http://[::1]:8080/x' } }, []],
    [
      { clientConfig: { url: 'http://127.0.0.1.evil.test/x' } },
      [
        `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: `
          + 'https://host[/path]',
      ],
    ],
    [
      { clientConfig: { url: 'https://me@hook.test/x?a=b#c' } },
      [
        'webhooks[0].clientConfig.url: Invalid value: "me": user information is not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "c": fragments are not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "a=b": query parameters are not permitted in the URL',
      ],
    ],
    [
      { clientConfig: { service: { name: '', namespace: 'n', port: 0, path: 'a/b' } } },
      [
        'webhooks[0].clientConfig.service.namespace: Required value',
        'webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, '
          + 'inclusive',
        `webhooks[0].clientConfig.service.path: Invalid value: "a/b": must start with a '/'`,
        'webhooks[0].clientConfig.service.path: Invalid value: "a/b": segment[0] may not be empty',
      ],
    ],
    [
      { admissionReviewVersions: [] },
      ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      { admissionReviewVersions: ['v2', 'v2'] },
      [
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
        'webhooks[0].admissionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
      ],
    ],
    [{ rules: [{ ...rule, operations: [] }] }, ['webhooks[0].rules[0].operations: Required value']],
    [
      { rules: [{ ...rule, operations: ['READ'] }] },
      [
        'webhooks[0].rules[0].operations[0]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", '
          + '"DELETE", "UPDATE"',
      ],
    ],
    [
      { rules: [{ ...rule, apiGroups: ['*', 'apps'] }] },
      [
        `webhooks[0].rules[0].apiGroups: Invalid value: ["*","apps"]: if '*' is present, must not specify other `
          + 'API groups',
      ],
    ],
    [
      { rules: [{ ...rule, resources: ['pods/*', 'pods/status'] }] },
      [
        `webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if 'pods/*' is present, must not specify `
          + 'pods/status',
      ],
    ],
    [
      { rules: [{ ...rule, resources: ['*', 'pods'] }] },
      [
        `webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other `
          + 'resources without subresources',
      ],
    ],
    [
      { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      [
        'webhooks[0].objectSelector.matchExpressions[0].values: Required value: must be specified when `operator` is '
          + `'In' or 'NotIn'`,
      ],
    ],
    [
      { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
      [
        'webhooks[0].namespaceSelector.matchExpressions[0].operator: Invalid value: "Like": '
          + 'not a valid selector operator',
      ],
    ],
    [
      { matchConditions: [{ name: '', expression: '' }] },
      [
        'webhooks[0].matchConditions[0].expression: Required value',
        'webhooks[0].matchConditions[0].name: Required value',
      ],
    ],
    [
      {
        matchConditions: [
          { name: 'a', expression: 'true' },
          { name: 'a', expression: 'true' },
        ],
      },
      ['webhooks[0].matchConditions[1].name: Duplicate value: "a"'],
    ],
    [
      { matchConditions: [{ name: 'a', expression: '1 + 1' }] },
      ['webhooks[0].matchConditions[0].expression: Invalid value: "1 + 1": must evaluate to bool but got int'],
    ],
  ])('with %j is told %j', (fields, findings) => {
    expect(refusal({ ...webhook, ...fields }).toSorted()).toEqual(findings.toSorted())
  })

  it('names every webhook once', () => {
    expect(refusal(webhook, webhook)).toEqual(['webhooks[1].name: Duplicate value: "a.hooks.test"'])
  })
})
