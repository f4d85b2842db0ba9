/** What a Service is refused for when it is given its address and ports, before anything else of it is judged. */
import { describe, expect, it } from 'vitest'
import { KubeError } from '../errors'
import { service } from '../kinds'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

const context = { namespace: 'ns', now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }

function refusal(name: string, spec: object, more: { dryRun?: boolean } = {}): string | undefined {
  const object = { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'ns', uid: 'u' }, spec }
  try {
    strategyOf(service).create(object as unknown as UnknownObject, { ...context, ...more })
    return undefined
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return error.message.replace(/^.*? is invalid: /, '').replaceAll(/10\.\d+\.\d+\.\d+/g, '_')
  }
}

describe('the allocation of a new Service', () => {
  it.each<[string, string, object, string]>([
    [
      'a name that no path can hold',
      'a/b',
      { ports: [] },
      'spec.clusterIPs: Invalid value: [""]: failed to allocate IP: IPAddress.networking.k8s.io "_" is invalid: '
        + `spec.parentRef.name: Invalid value: "a/b": may not contain '/'`,
    ],
    [
      'no name',
      '',
      { ports: [] },
      'spec.clusterIPs: Invalid value: [""]: failed to allocate IP: IPAddress.networking.k8s.io "_" is invalid: '
        + 'spec.parentRef.name: Required value',
    ],
    [
      'such a name for an address of its own',
      'a/b%c',
      { clusterIP: '10.96.7.7', ports: [] },
      'spec.clusterIPs: Invalid value: ["_"]: failed to allocate IP _: IPAddress.networking.k8s.io "_" is invalid: '
        + `[spec.parentRef.name: Invalid value: "a/b%c": may not contain '/', `
        + `spec.parentRef.name: Invalid value: "a/b%c": may not contain '%']`,
    ],
    [
      'an address outside of the range',
      'x',
      { clusterIP: '1.2.3.4', ports: [] },
      'spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: '
        + 'the provided network does not match the current range',
    ],
    [
      'an address of another family',
      'x',
      { clusterIP: 'fd00::1', ports: [] },
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    ],
    [
      'two families',
      'x',
      { ipFamilyPolicy: 'RequireDualStack', ports: [] },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ],
    [
      'two families under a policy of one',
      'x',
      { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'], ports: [] },
      'spec.ipFamilyPolicy: Invalid value: "SingleStack": '
        + "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    ],
    [
      'a node port outside of the range',
      'x',
      { type: 'NodePort', ports: [{ port: 80, nodePort: 5 }], sessionAffinity: 'x' },
      'spec.ports[0].nodePort: Invalid value: 5: provided port is not in the valid range. '
        + 'The range of valid ports is 30000-32767',
    ],
    [
      'a node port twice',
      'x',
      {
        type: 'NodePort',
        ports: [
          { port: 80, nodePort: 30_007 },
          { port: 81, nodePort: 30_007 },
        ],
      },
      'spec.ports[1].nodePort: Invalid value: 30007: provided port is already allocated',
    ],
  ])('refuses %s', (_, name, spec, expected) => {
    expect(refusal(name, spec)).toBe(expected)
  })

  it('takes no address in a dry run, and none for a Service without one', () => {
    expect(refusal('a/b', { ports: [{ port: 80 }] }, { dryRun: true })).toMatch(/^metadata\.name: Invalid value/)
    expect(refusal('a/b', { clusterIP: 'None', selector: { a: 'b' } })).toMatch(/^metadata\.name: Invalid value/)
  })
})
