import { expect, test } from 'vitest'
import type { UnknownObject } from '@/lib/kube/object'
import type { Resource } from '../registry/resource'
import { addressWarnings, blockWarnings } from './addresses'
import { kindWarnings, statusWarnings } from './kinds'
import { podWarnings } from './pod'

const named = (fields: object): UnknownObject => ({ metadata: { name: 'o' }, ...fields }) as unknown as UnknownObject
const pod = (spec: object): string[] => podWarnings({ id: 'pods' } as Resource, named({ spec }))

test.each<[text: string, warnings: string[]]>([
  ['10.1.2.3', []],
  ['2001:db8::1', []],
  ['nonsense', []],
  ['010.1.2.3', ['f: non-standard IP address "010.1.2.3" is invalid: use "10.1.2.3"']],
  ['2001:0db8::1', ['f: IPv6 address "2001:0db8::1" should be in RFC 5952 canonical format ("2001:db8::1")']],
])('of the address %s', (text, warnings) => expect(addressWarnings(text, 'f')).toEqual(warnings))

test.each<[text: string, warnings: string[]]>([
  ['10.0.0.0/8', []],
  [
    '10.1.2.3/8',
    ['f: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)'],
  ],
  ['10.0.0.0/08', ['f: non-standard CIDR value "10.0.0.0/08" is invalid: use "10.0.0.0/8"']],
  ['2001:0db8::/32', ['f: IPv6 CIDR value "2001:0db8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")']],
])('of the block %s', (text, warnings) => expect(blockWarnings(text, 'f')).toEqual(warnings))

test.each<[what: string, spec: object, warnings: string[]]>([
  [
    'labels of nodes that have other names',
    {
      nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { preference: { matchExpressions: [{ key: 'node-role.kubernetes.io/master', values: ['-'] }] } },
          ],
        },
      },
    },
    [
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      expect.stringContaining('[0].preference.matchExpressions[0].key: node-role.kubernetes.io/master is use '),
      expect.stringContaining('[0].preference.matchExpressions[0].values[0]: - is invalid, a valid label must be'),
    ],
  ],
  [
    'pods to be beside that no selector names',
    { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'z' }] } } },
    [
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: '
        + 'a null labelSelector results in matching no pod',
    ],
  ],
  [
    'files inside of files',
    {
      volumes: [
        { name: 'm', configMap: { name: 'c', items: [{ path: 'a' }, { path: 'a/b/' }, { path: 'ab' }] } },
        {
          name: 'p',
          projected: {
            sources: [{ serviceAccountToken: { path: 't' } }, { secret: { name: 's', items: [{ path: 't' }] } }, {}],
          },
        },
      ],
    },
    [
      'volume "m" (ConfigMap "c"): overlapping paths: "a/b" with "a"',
      'volume "p" (Projected): overlapping paths: "t" (Secret "s") with "t" (ServiceAccountToken)',
      'volume "p" (Projected) has no sources provided',
    ],
  ],
  [
    'parts of bytes, in volumes too',
    {
      volumes: [
        { name: 'e', ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '100m' } } } } } },
      ],
      containers: [{ name: 'c', resources: { limits: { memory: '1500m' } } }],
    },
    [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: '
        + 'fractional byte value "100m" is invalid, must be an integer',
      'spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer',
    ],
  ],
])('of a pod: %s', (_what, spec, warnings) => expect(pod(spec)).toEqual(warnings))

test('of annotations only where a container lacks the field', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/c'
  const ask = (container: object): string[] =>
    podWarnings(
      { id: 'pods' } as Resource,
      { metadata: { name: 'o', annotations: { [key]: 'unconfined' } }, spec: { containers: [container] } } as never,
    )
  const warning = `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`
  expect(ask({ name: 'c' })).toEqual([warning])
  expect(ask({ name: 'other' })).toEqual([])
  expect(ask({ name: 'c', securityContext: { appArmorProfile: { type: 'Unconfined' } } })).toEqual([])
})

test.each<[id: string, fields: object, old: object | undefined, warnings: string[]]>([
  [
    'services',
    { spec: { type: 'ClusterIP', clusterIP: 'None', externalIPs: ['1.2.3.4'], sessionAffinity: 'ClientIP' } },
    undefined,
    ['spec.externalIPs is ignored for headless services', 'spec.SessionAffinity is ignored for headless services'],
  ],
  [
    'services',
    { spec: { type: 'LoadBalancer', externalName: 'x', loadBalancerSourceRanges: ['10.0.0.1/8'] } },
    {},
    [
      expect.stringContaining('spec.loadBalancerSourceRanges[0]: CIDR value'),
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
  ],
  [
    'statefulsets.apps',
    {
      spec: {
        revisionHistoryLimit: -1,
        volumeClaimTemplates: [{ spec: { resources: { limits: { storage: '1m' } } } }],
      },
    },
    {},
    [
      'spec.volumeClaimTemplates[0].Spec.resources.limits[storage]: '
        + 'fractional byte value "1m" is invalid, must be an integer',
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    ],
  ],
  [
    'nodes',
    { spec: { externalID: 'x' } },
    {},
    ['spec.externalID: this field is deprecated, and is unused by Kubernetes'],
  ],
  ['endpointslices.discovery.k8s.io', { addressType: 'FQDN', endpoints: [] }, {}, []],
  [
    'endpointslices.discovery.k8s.io',
    { addressType: 'FQDN', endpoints: [] },
    undefined,
    ['spec.addressType: FQDN endpoints are deprecated'],
  ],
  [
    'secrets',
    { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
    undefined,
    ['tls: failed to find any PEM data in certificate input'],
  ],
])('of %s %j', (id, fields, old, warnings) =>
  expect(kindWarnings(id, named(fields), old && named(old))).toEqual(warnings),
)

test('of addresses in a status', () => {
  const status = { podIPs: [{ ip: '010.1.2.3' }] }
  expect(statusWarnings('pods', named({ status }))).toEqual([
    'status.podIPs[0].ip: non-standard IP address "010.1.2.3" is invalid: use "10.1.2.3"',
  ])
})
