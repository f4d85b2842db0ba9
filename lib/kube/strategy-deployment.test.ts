import { describe, expect, it } from 'vitest'
import { deployment } from './kinds'
import { strategyOf } from './strategy'
import { atStatus, context, create, draft, template, web } from './testing/drafts'

describe('a Deployment', () => {
  it('is completed as a real API server completes it', () => {
    expect(create(deployment, { ...web, status: { replicas: 9 } })).toEqual(
      draft(
        deployment,
        {
          spec: {
            replicas: 1,
            selector: { matchLabels: { app: 'web' } },
            template: {
              metadata: { labels: { app: 'web' } },
              spec: {
                containers: [
                  {
                    name: 'c',
                    image: 'nginx:1.25',
                    resources: {},
                    terminationMessagePath: '/dev/termination-log',
                    terminationMessagePolicy: 'File',
                    imagePullPolicy: 'IfNotPresent',
                  },
                ],
                restartPolicy: 'Always',
                terminationGracePeriodSeconds: 30,
                dnsPolicy: 'ClusterFirst',
                securityContext: {},
                schedulerName: 'default-scheduler',
              },
            },
            strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
            revisionHistoryLimit: 10,
            progressDeadlineSeconds: 600,
          },
          status: {},
        },
        { generation: 1 },
      ),
    )
  })

  it('stays the same when it is written again', () => {
    const stored = create(deployment, web)
    expect(strategyOf(deployment).update(stored, stored, context)).toEqual(stored)
  })

  it('keeps the spec and the status themselves when something else changes', () => {
    const stored = create(deployment, web)
    const annotated = { ...stored, metadata: { ...stored.metadata, annotations: { a: 'b' } } }
    const updated = strategyOf(deployment).update(annotated, stored, context)
    expect([updated.spec, updated.status].every((part, at) => part === [stored.spec, stored.status][at])).toBe(true)
    const scaled = { ...stored, spec: { ...(stored.spec as object), replicas: 5 } }
    const { template: kept } = strategyOf(deployment).update(scaled, stored, context).spec as { template: object }
    expect(kept).toBe((stored.spec as { template: object }).template)
  })

  it.each([
    ['labels', { labels: { a: 'b' } }, {}, 1],
    ['annotations', { annotations: { a: 'b' } }, {}, 2],
    ['the spec', {}, { paused: true }, 2],
  ])('a change of %s gives the expected generation', (_, metadata, spec, generation) => {
    const stored = create(deployment, web)
    const next = {
      ...stored,
      metadata: { ...stored.metadata, ...metadata },
      spec: { ...(stored.spec as object), ...spec },
    }
    expect(strategyOf(deployment).update(next, stored, context).metadata.generation).toBe(generation)
  })

  it.each<[string, object, string]>([
    ['no spec', {}, 'spec.selector: Required value'],
    [
      'a selector that misses the template',
      { spec: { ...web.spec, selector: { matchLabels: { app: 'x' } } } },
      'Deployment.apps "web" is invalid: spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      'no image',
      { spec: { ...web.spec, template: { ...template, spec: { containers: [{ name: 'c' }] } } } },
      'spec.template.spec.containers[0].image: Required value',
    ],
    [
      'no name',
      { spec: { ...web.spec, template: { ...template, spec: { containers: [{ image: 'x' }] } } } },
      'spec.template.spec.containers[0].name: Required value',
    ],
    [
      'a container that is null',
      { spec: { ...web.spec, template: { ...template, spec: { containers: [null] } } } },
      'spec.template.spec.containers[0].name: Required value',
    ],
    [
      'negative replicas',
      { spec: { ...web.spec, replicas: -1 } },
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'another restart policy',
      { spec: { ...web.spec, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      'a request that is no quantity',
      {
        spec: {
          ...web.spec,
          template: {
            ...template,
            spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: 'lots' } } }] },
          },
        },
      },
      'Deployment in version "v1" cannot be handled as a Deployment: quantities must match the regular expression',
    ],
  ])('with %s is refused', (_, fields, text) => {
    expect(() => create(deployment, fields)).toThrow(text)
  })

  it('keeps its selector', () => {
    const stored = create(deployment, web)
    const labels = { app: 'x' }
    const next = {
      ...stored,
      spec: { ...web.spec, selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } },
    }
    expect(() => strategyOf(deployment).update(next, stored, context)).toThrow(
      'Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
    )
  })

  it('refuses a value of a wrong type while decoding', () => {
    expect(() => create(deployment, { spec: { ...web.spec, replicas: 'many' } })).toThrow(
      expect.objectContaining({
        code: 400,
        message: expect.stringMatching(
          /^Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string/,
        ),
      }),
    )
  })

  it.each<[string, object, string]>([
    ['pull policy', { imagePullPolicy: 'Often' }, '"Always", "IfNotPresent", "Never"'],
    ['protocol', { ports: [{ containerPort: 80, protocol: 'ICMP' }] }, '"SCTP", "TCP", "UDP"'],
  ])('knows no other %s', (_, fields, values) => {
    const spec = { containers: [{ name: 'c', image: 'x', ...fields }] }
    expect(() => create(deployment, { spec: { ...web.spec, template: { ...template, spec } } })).toThrow(
      `supported values: ${values}`,
    )
  })

  it('has a selector that selects', () => {
    expect(() => create(deployment, { spec: { ...web.spec, selector: {} } })).toThrow(
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    )
  })

  it('writes resources in canonical form and leaves a missing request out', () => {
    const resources = { limits: { cpu: '1000m', memory: '1024Mi' }, requests: { cpu: 0.5 } }
    const stored = create(deployment, {
      spec: { ...web.spec, template: { ...template, spec: { containers: [{ name: 'c', image: 'x', resources }] } } },
    })
    const [container] = (
      stored as unknown as {
        spec: { template: { spec: { containers: { resources: object; imagePullPolicy: string }[] } } }
      }
    ).spec.template.spec.containers
    expect(container?.resources).toEqual({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } })
    expect(container?.imagePullPolicy).toBe('Always')
  })

  it('takes annotations but no labels and no spec through its status', () => {
    const stored = create(deployment, web)
    const next = {
      ...stored,
      spec: {},
      status: { replicas: 2 },
      metadata: { ...stored.metadata, labels: { l: '1' }, annotations: { a: '1' } },
    }
    expect(strategyOf(deployment).updateStatus(next, stored, atStatus)).toEqual({
      ...stored,
      status: { replicas: 2 },
      metadata: { ...stored.metadata, annotations: { a: '1' } },
    })
  })
})
