import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PodSpec } from '../kinds'
import { dumpedTemplate, podSpecDifference } from './pod-dump'

const spec = (fields: Partial<PodSpec> = {}): PodSpec => ({
  containers: [
    { name: 'c', image: 'nginx', terminationMessagePath: '/dev/termination-log', imagePullPolicy: 'Always' },
  ],
  restartPolicy: 'Always',
  securityContext: {},
  ...fields,
})

describe('the difference between two pod specs', () => {
  it.each([
    [
      'a field with what stands around it',
      { nodeName: 'n' },
      '@@ -42,7 +42,7 @@\n  "NodeSelector": null,\n  "ServiceAccountName": "",\n  "AutomountServiceAccountToken": null,\n'
        + '- "NodeName": "",\n+ "NodeName": "n",\n  "SecurityContext": {\n   "HostNetwork": false,\n   "HostPID": false,\n',
    ],
    [
      'a field that the API has beside the security context',
      { hostNetwork: true },
      '@@ -44,7 +44,7 @@\n  "AutomountServiceAccountToken": null,\n  "NodeName": "",\n  "SecurityContext": {\n'
        + '-  "HostNetwork": false,\n+  "HostNetwork": true,\n   "HostPID": false,\n   "HostIPC": false,\n'
        + '   "ShareProcessNamespace": null,\n',
    ],
    [
      'lines that are new',
      { nodeSelector: { a: 'b' } },
      '@@ -39,7 +39,9 @@\n  "TerminationGracePeriodSeconds": null,\n  "ActiveDeadlineSeconds": null,\n  "DNSPolicy": "",\n'
        + '- "NodeSelector": null,\n+ "NodeSelector": {\n+  "a": "b"\n+ },\n  "ServiceAccountName": "",\n'
        + '  "AutomountServiceAccountToken": null,\n  "NodeName": "",\n',
    ],
  ])('shows %s', (_, fields, text) => {
    expect(podSpecDifference(spec(), spec(fields))).toBe(text)
  })

  it('has one part for each place', () => {
    const text = podSpecDifference(spec(), spec({ restartPolicy: 'Never', priorityClassName: 'p' }))
    expect(text.match(/^@@ /gm)).toHaveLength(2)
  })

  it('is empty for equal ones', () => {
    expect(podSpecDifference(spec(), spec())).toBe('')
  })

  it('does not grow slow with pods of any size', () => {
    const many = (image: string): PodSpec =>
      spec({ containers: Array.from({ length: 500 }, (_, n) => ({ name: `c${n}`, image })) })
    expect(podSpecDifference(many('a'), many('b'))).toContain('+   "Image": "b"')
  })

  it('tells as many lines as its heads say', () => {
    const value = fc.record({ nodeName: fc.string(), hostname: fc.string(), hostPID: fc.boolean(), priority: fc.nat() })
    fc.assert(
      fc.property(value, value, (a, b) => {
        for (const [head, body] of parts(podSpecDifference(spec(a), spec(b)))) {
          const [, before, after] = /^-\d+,(\d+) \+\d+,(\d+)/.exec(head) ?? []
          expect(body.filter((line) => !line.startsWith('+'))).toHaveLength(Number(before))
          expect(body.filter((line) => !line.startsWith('-'))).toHaveLength(Number(after))
        }
      }),
      { seed: 11, numRuns: 100 },
    )
  })
})

function parts(text: string): [string, string[]][] {
  return text
    .split('@@ ')
    .filter((part) => part.startsWith('-'))
    .map((head, index) => {
      const body = text.split(/^@@ .* @@\n/m)[index + 1] ?? ''
      return [head, body.split('\n').slice(0, -1)]
    })
}

it('a template is written out with its labels, probes and sources of values', () => {
  const container = {
    name: 'c',
    image: 'i',
    env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
    readinessProbe: { httpGet: { path: '/', port: 80, scheme: 'HTTP' }, periodSeconds: 10 },
  }
  const text = JSON.stringify(
    dumpedTemplate({ metadata: { labels: { a: 'b' } }, spec: spec({ containers: [container] }) }),
  )
  expect(text).toMatch(/^\{"labels":\{"a":"b"\},"Spec":\{"Volumes":null,/)
  expect(text).toContain(
    '"ValueFrom":{"FieldRef":{"APIVersion":"v1","FieldPath":"metadata.name"},"ResourceFieldRef":null',
  )
  expect(text).toContain(
    '"ReadinessProbe":{"Exec":null,"HTTPGet":{"Path":"/","Port":80,"Host":"","Scheme":"HTTP","HTTPHeaders":null}',
  )
})
