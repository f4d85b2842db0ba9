import { describe, expect, it } from 'vitest'
import { clusterRole, configMap, event, namespace, node, pod, secret, service } from './kinds'
import { strategyOf } from './strategy'
import { atStatus, context, create, draft } from './testing/drafts'

describe('core kinds', () => {
  it('a Pod gets what admission adds and starts pending', () => {
    const stored = create(pod, { spec: { containers: [{ name: 'c', image: 'nginx' }] } }) as unknown as {
      spec: object
      status: object
    }
    expect(stored.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' })
    expect(stored.spec).toMatchObject({
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    })
  })

  it('a Pod changes only its images afterwards', () => {
    const stored = create(pod, { spec: { containers: [{ name: 'c', image: 'nginx' }] } })
    const change = (fields: object) =>
      strategyOf(pod).update({ ...stored, spec: { ...(stored.spec as object), ...fields } }, stored, context)
    expect(change({ containers: [{ name: 'c', image: 'busybox' }] }).metadata.generation).toBe(2)
    expect(() => change({ nodeName: 'n' })).toThrow(
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`',
    )
    expect(() => change({ schedulingGates: [{ name: 'a' }] })).toThrow(
      `is invalid: spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'`,
    )
  })

  it('a ConfigMap drops what is empty, has no generation, and stays when immutable', () => {
    const stored = create(
      configMap,
      { data: { a: '' }, binaryData: {}, immutable: true },
      { labels: {}, annotations: null, finalizers: [] },
    )
    expect(stored).toEqual(draft(configMap, { data: { a: '' }, immutable: true }))
    expect(() => strategyOf(configMap).update({ ...stored, data: { a: 'b' } }, stored, context)).toThrow(
      'ConfigMap "web" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    )
    expect(() => create(configMap, { data: { x: '1' }, binaryData: { x: 'AAE=' } })).toThrow(
      'data[x]: Invalid value: "x": duplicate of key present in binaryData',
    )
  })

  it('a Namespace is active, labelled and held', () => {
    const stored = create(namespace, { spec: { finalizers: ['ex.test/hold'] } }, { name: 'team', namespace: undefined })
    expect(stored).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'team' } },
      spec: { finalizers: ['ex.test/hold', 'kubernetes'] },
      status: { phase: 'Active' },
    })
    expect(() => create(namespace, {}, { name: 'Upper' })).toThrow('a lowercase RFC 1123 label must consist of')
    expect(() =>
      strategyOf(namespace).updateStatus({ ...stored, status: { phase: 'Terminating' } }, stored, atStatus),
    ).toThrow('status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty')
  })

  it('a Secret encodes its texts', () => {
    expect(create(secret, { stringData: { a: 'grüße 🎉', b: 'ab' } })).toMatchObject({
      type: 'Opaque',
      data: { a: 'Z3LDvMOfZSDwn46J', b: 'YWI=' },
    })
  })

  it('a Secret holds base64 and an Event holds times', () => {
    expect(() => create(secret, { data: { a: '***' } })).toThrow('illegal base64 data at input byte 0')
    const about = { involvedObject: { kind: 'X', namespace: 'ns' } }
    expect(() => create(event, { ...about, lastTimestamp: 'now' })).toThrow('parsing time "now"')
  })

  it('a Service completes its ports', () => {
    expect(create(service, { spec: { ports: [{ port: 80 }], clusterIP: 'None' } })).toMatchObject({
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
      status: { loadBalancer: {} },
    })
  })

  it('a Node keeps the status it registers with', () => {
    expect(create(node, { status: { capacity: { cpu: '4000m' } } })).toMatchObject({
      status: { capacity: { cpu: '4' }, allocatable: { cpu: '4' } },
    })
  })

  it('an Event is about something in its namespace', () => {
    expect(() => create(event, { involvedObject: { kind: 'X', namespace: 'other' } })).toThrow(
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    )
    expect(create(event, { involvedObject: { kind: 'X', namespace: 'ns' } })).toMatchObject({
      eventTime: null,
      reportingComponent: '',
    })
  })

  it('a ClusterRole says what may be done', () => {
    expect(() => create(clusterRole, { rules: [{ resources: ['pods'], apiGroups: [''] }] })).toThrow(
      'rules[0].verbs: Required value: verbs must contain at least one value',
    )
    expect(create(clusterRole, {}, { name: 'system:x' }).metadata.name).toBe('system:x')
  })
})
