/** What is refused of the kinds that people write most, and in which words. */
import { describe, expect, it } from 'vitest'
import { KubeError } from '../errors'
import { apiVersionOf } from '../kind'
import { allKinds } from '../kinds'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

const context = { namespace: 'ns', now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }
const base64 = (text: string): string => Buffer.from(text).toString('base64')

function strategyAndDraft(word: string, fields: object) {
  const kind = allKinds.find((one) => one.kind === word)!
  const metadata = { name: 'x', namespace: 'ns', uid: 'U' }
  const object = { apiVersion: apiVersionOf(kind), kind: word, metadata, ...fields } as unknown as UnknownObject
  return { strategy: strategyOf(kind), object }
}

/** The findings as `field: message`, sorted; none when the write is let through. */
function findings(write: () => unknown): string[] {
  try {
    write()
    return []
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return (error.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`).toSorted()
  }
}

function refusals(word: string, fields: object): string[] {
  const { strategy, object } = strategyAndDraft(word, fields)
  return findings(() => strategy.create(object, context))
}

function changeRefusals(word: string, before: object, after: object): string[] {
  const { strategy, object } = strategyAndDraft(word, before)
  const old = strategy.create(object, context)
  return findings(() => strategy.update({ ...old, ...after } as UnknownObject, old, context))
}

const ports = (...list: object[]) => ({ spec: { ports: list } })
const template = (spec: object) => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
const selector = { matchLabels: { a: 'b' } }
const workload = (spec: object) => ({ spec: { selector, template: template({}), ...spec } })
const inContainer = (fields: object) => ({ spec: { containers: [{ name: 'c', image: 'i', ...fields }] } })
const at = 'spec.containers[0]'

describe('a new object is refused', () => {
  it.each<[string, string, object, string[]]>([
    [
      'keys that are no file names',
      'ConfigMap',
      { data: { '..': 'x', '..a': 'x' } },
      [
        'data[..]: Invalid value: "..": must not be \'..\'',
        'data[..a]: Invalid value: "..a": must not start with \'..\'',
      ],
    ],
    [
      'values that are too much together',
      'ConfigMap',
      { data: { a: 'x'.repeat(1 << 19), b: 'ü'.repeat((1 << 18) + 1) } },
      ['[]: Too long: may not be more than 1048576 bytes'],
    ],
    ['values just below the limit', 'ConfigMap', { data: { a: 'x'.repeat(1 << 20) } }, []],
    [
      'a certificate without its key',
      'Secret',
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
      ['data[tls.key]: Required value'],
    ],
    [
      'a certificate with its key',
      'Secret',
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '' }, stringData: { 'tls.key': 'k' } },
      [],
    ],
    [
      'credentials that are empty',
      'Secret',
      { type: 'kubernetes.io/basic-auth' },
      ['data[password]: Required value', 'data[username]: Required value'],
    ],
    [
      'a registry that is no object',
      'Secret',
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('[1]') } },
      [
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
    ],
    [
      'a registry that is an object',
      'Secret',
      { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('{"a":1}') } },
      [],
    ],
    [
      'a token without a service account',
      'Secret',
      { type: 'kubernetes.io/service-account-token' },
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
    [
      'ports of the same name',
      'Service',
      ports({ name: 'a', port: 1 }, { name: 'a', port: 2, targetPort: 'no-' }),
      [
        'spec.ports[1].name: Duplicate value: "a"',
        'spec.ports[1].targetPort: Invalid value: "no-": must not begin or end with a hyphen',
      ],
    ],
    [
      'a name outside that is none',
      'Service',
      { spec: { type: 'ExternalName' } },
      ['spec.externalName: Required value'],
    ],
    [
      'a node port of a cluster IP service',
      'Service',
      ports({ port: 1, nodePort: 30_000 }),
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'an affinity that lasts too long',
      'Service',
      {
        spec: {
          ports: [{ port: 1 }],
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
        },
      },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
      ],
    ],
    [
      'a workload without a selector',
      'Deployment',
      workload({ selector: undefined }),
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'a selector that cannot be read',
      'Deployment',
      workload({ selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }),
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Near"}]}: invalid label selector',
      ],
    ],
    [
      'counts below zero',
      'Deployment',
      workload({ revisionHistoryLimit: -1, progressDeadlineSeconds: -1, minReadySeconds: 0 }),
      [
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      'a pod that ends by itself',
      'DaemonSet',
      workload({ template: template({ activeDeadlineSeconds: 5 }) }),
      ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported'],
    ],
    [
      'a controller without a template',
      'ReplicationController',
      { spec: { selector: { a: 'b' } } },
      ['spec.template: Required value'],
    ],
    [
      'nothing about volumes that a StatefulSet claims',
      'StatefulSet',
      workload({
        template: {
          ...template({}),
          spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'data', mountPath: '/' }] }] },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      }),
      [],
    ],
    [
      'volumes that a StatefulSet does not claim',
      'StatefulSet',
      workload({
        template: {
          ...template({}),
          spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'data', mountPath: '/' }] }] },
        },
      }),
      ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"'],
    ],
    [
      'ways of replacing pods that there are not',
      'Deployment',
      workload({ strategy: { type: 'Foo' } }),
      [
        'spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      'ways of replacing pods that there are not',
      'DaemonSet',
      workload({ updateStrategy: { type: 'Foo' } }),
      [
        'spec.updateStrategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
      ],
    ],
    [
      'ways of replacing pods that there are not',
      'StatefulSet',
      workload({ podManagementPolicy: 'X', updateStrategy: { type: 'Z', rollingUpdate: { partition: 1 } } }),
      [
        "spec.podManagementPolicy: Invalid value: \"X\": must be 'OrderedReady' or 'Parallel'",
        'spec.updateStrategy: Invalid value: {"Type":"Z","RollingUpdate":{"Partition":1,"MaxUnavailable":null}}: '
          + "must be 'RollingUpdate' or 'OnDelete'",
      ],
    ],
    [
      'users, settings and hosts that cannot be',
      'Pod',
      {
        spec: {
          ...inContainer({ securityContext: { runAsGroup: -1, seccompProfile: { type: 'Localhost' } } }).spec,
          securityContext: { fsGroup: -2, sysctls: [{ name: 'A', value: '1' }] },
          hostAliases: [{ ip: 'x', hostnames: ['a'] }],
        },
      },
      [
        `${at}.securityContext.runAsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive`,
        `${at}.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`,
        'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.securityContext.fsGroup: Invalid value: -2: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.sysctls[0].name: Invalid value: "A": must have at most 253 characters and match regex '
          + '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      ],
    ],
    [
      'places that no pod can be in',
      'Pod',
      {
        spec: {
          ...inContainer({}).spec,
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
              },
            },
            podAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 200, podAffinityTerm: { topologyKey: 'a', matchLabelKeys: ['b'] } },
              ],
            },
          },
          topologySpreadConstraints: [
            { maxSkew: 0, topologyKey: 'a', whenUnsatisfiable: 'X' },
            { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'X', minDomains: 1 },
          ],
        },
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]'
          + ".values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.matchLabelKeys: '
          + 'Forbidden: must not be specified when labelSelector is not set',
        'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 200: '
          + 'must be in the range 1-100',
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "X": supported values: "DoNotSchedule", "ScheduleAnyway"',
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{a, X}"',
        'spec.topologySpreadConstraints[1].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not X',
        'spec.topologySpreadConstraints[1].whenUnsatisfiable: Unsupported value: "X": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
    ],
    [
      'amounts of other things, each of them',
      'PersistentVolume',
      { spec: { accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' }, capacity: { storage: '1Gi', nope: '-1' } } },
      [
        'spec.capacity: Unsupported value: {"nope":"-1","storage":"1Gi"}: supported values: "storage"',
        'spec.capacity[nope]: Invalid value: "-1": must be greater than zero',
        'spec.capacity[nope]: Invalid value: -1: must be a valid resource quantity',
      ],
    ],
    [
      'an address of another family, before anything else',
      'Service',
      {
        spec: {
          externalTrafficPolicy: 'Local',
          ipFamilies: ['IPv6'],
          clusterIP: '10.96.0.9',
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 80 },
          ],
        },
      },
      ['spec.clusterIPs[0]: Invalid value: "10.96.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    [
      'ports and ways that exclude each other',
      'Service',
      {
        spec: {
          externalTrafficPolicy: 'Local',
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 80 },
          ],
        },
      },
      [
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
    ],
    [
      'an address that the server does not give out',
      'Service',
      { spec: { clusterIP: '1.2.3.4', ports: [{ port: 80 }] } },
      [
        'spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: '
          + 'the provided network does not match the current range',
      ],
    ],
    [
      'a number of pods that it does not know',
      'Job',
      {
        spec: {
          completionMode: 'Indexed',
          parallelism: 1,
          maxFailedIndexes: 1,
          template: template({ restartPolicy: 'Never' }),
        },
      },
      [
        'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
        'spec.completions: Required value: when completion mode is Indexed',
      ],
    ],
    [
      'scopes that do not suit',
      'ResourceQuota',
      { spec: { hard: { services: '1' }, scopes: ['X', 'Terminating'] } },
      [
        'spec.scopes: Invalid value: ["X","Terminating"]: unsupported scope',
        'spec.scopes: Invalid value: ["X","Terminating"]: unsupported scope applied to resource',
      ],
    ],
    [
      'limits of what has none',
      'LimitRange',
      { spec: { limits: [{ type: 'X' }, { type: 'Pod', default: { cpu: '1' } }] } },
      [
        'spec.limits[0].type: Invalid value: "X": must be a standard limit type or fully qualified',
        "spec.limits[1].default: Forbidden: may not be specified when `type` is 'Pod'",
      ],
    ],
    [
      'hosts and blocks that hold nothing',
      'NetworkPolicy',
      {
        spec: {
          podSelector: {},
          egress: [
            { ports: [{ port: 80, endPort: 70 }], to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] },
          ],
        },
      },
      [
        'spec.egress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`',
        'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
      ],
    ],
    [
      'a variable with two values',
      'Pod',
      inContainer({
        env: [{ name: '' }, { name: 'a', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      }),
      [
        `${at}.env[0].name: Required value`,
        `${at}.env[1].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`,
      ],
    ],
    [
      'mounts of nothing',
      'Pod',
      inContainer({ volumeMounts: [{ name: 'v', mountPath: '' }] }),
      [`${at}.volumeMounts[0].mountPath: Required value`, `${at}.volumeMounts[0].name: Not found: "v"`],
    ],
    [
      'probes that ask nothing, or twice',
      'Pod',
      inContainer({
        readinessProbe: {},
        livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 }, successThreshold: 2 },
      }),
      [
        `${at}.livenessProbe.successThreshold: Invalid value: 2: must be 1`,
        `${at}.livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`,
        `${at}.readinessProbe: Required value: must specify a handler type`,
      ],
    ],
    [
      'volumes of two types',
      'Pod',
      {
        spec: {
          ...inContainer({}).spec,
          volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }, { name: 'v' }],
        },
      },
      [
        // A volume with findings takes no name.
        'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
      ],
    ],
    [
      'a toleration of unheard effect',
      'Pod',
      { spec: { ...inContainer({}).spec, tolerations: [{ key: 'a', effect: 'Never' }] } },
      [
        'spec.tolerations[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      'half a pod',
      'ResourceQuota',
      { spec: { hard: { pods: '1.5', nope: '1', 'count/jobs.batch': 2 } } },
      [
        'spec.hard[nope]: Invalid value: "nope": must be a standard resource for quota',
        'spec.hard[nope]: Invalid value: "nope": must be a standard resource type or fully qualified',
        'spec.hard[pods]: Invalid value: "1500m": must be an integer',
      ],
    ],
    [
      'a lease for no time',
      'Lease',
      { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
      [
        'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
        'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    ['a template without containers', 'PodTemplate', { template: {} }, ['template.spec.containers: Required value']],
  ])('for %s: %s', (_, kind, fields, expected) => {
    expect(refusals(kind, fields)).toEqual(expected)
  })
})

describe('a change is refused', () => {
  it.each<[string, string, object, object, string[]]>([
    ['the type of a secret', 'Secret', {}, { type: 'other' }, ['type: Invalid value: "other": field is immutable']],
    [
      'what is immutable',
      'Secret',
      { immutable: true, data: { a: 'YQ==' } },
      { immutable: false, data: {} },
      [
        'data: Forbidden: field is immutable when `immutable` is set',
        'immutable: Forbidden: field is immutable when `immutable` is set',
      ],
    ],
    [
      'the address of a Service',
      'Service',
      { spec: { ports: [{ port: 1 }], clusterIP: '10.96.0.9' } },
      { spec: { ports: [{ port: 1 }], clusterIP: '10.96.0.8' } },
      ['spec.clusterIPs[0]: Invalid value: ["10.96.0.8"]: may not change once set'],
    ],
    [
      'nothing when an address is left out',
      'Service',
      { spec: { ports: [{ port: 1 }], clusterIP: '10.96.0.9' } },
      { spec: { ports: [{ port: 2 }] } },
      [],
    ],
  ])('of %s: %s', (...[, kind, before, after, expected]) => {
    expect(changeRefusals(kind, before, after)).toEqual(expected)
  })
})

it('counts the templates of a DaemonSet, whatever its author says', () => {
  const { strategy, object } = strategyAndDraft('DaemonSet', workload({}))
  const first = strategy.create(object, context)
  const key = 'deprecated.daemonset.template.generation'
  expect(first.metadata.annotations).toEqual({ [key]: '1' })
  const relabelled = strategy.update(
    { ...first, metadata: { ...first.metadata, annotations: { [key]: '7' } } },
    first,
    context,
  )
  expect(relabelled.metadata.annotations).toEqual({ [key]: '1' })
  const changed = strategy.update(
    { ...first, ...workload({ template: template({ hostNetwork: true }) }) } as UnknownObject,
    first,
    context,
  )
  expect(changed.metadata.annotations).toEqual({ [key]: '2' })
})
