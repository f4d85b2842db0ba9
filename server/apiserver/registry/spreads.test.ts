import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type KubeError } from '@/lib/kube/errors'
import { workloadSpread as spreadKind, type WorkloadSpread } from '@/lib/kube/kinds'
import { type Env, startEnv } from '@/server/testing/start-env'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

type Subset = { name: string; maxReplicas?: number | string }
const TARGET = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', name: 'web' }
const spread = (name: string, subsets: readonly Subset[], targetRef: object = TARGET): WorkloadSpread =>
  ({
    apiVersion: 'apps.kruise.io/v1beta1',
    kind: 'WorkloadSpread',
    metadata: { name, namespace: 'default' },
    spec: { targetRef, subsets },
  }) as unknown as WorkloadSpread
const of = (...limits: (number | string | undefined)[]): Subset[] =>
  limits.map((maxReplicas, index) => ({ name: `s${index}`, ...(maxReplicas !== undefined && { maxReplicas }) }))
const refusal = async (draft: WorkloadSpread): Promise<KubeError> => {
  try {
    await env.client.create(spreadKind, draft)
  } catch (error) {
    return error as KubeError
  }
  throw new Error('it was admitted')
}

describe('the control plane', () => {
  test.each<[string, WorkloadSpread, string]>([
    ['a negative limit', spread('a', of(-1, 2)), 'spec.subsets[0].maxReplicas'],
    ['numbers and shares together', spread('a', of(2, '50%')), 'spec.subsets[1].maxReplicas'],
    ['shares below 100 %', spread('a', of('20%', '20%')), 'spec.subsets[0].maxReplicas'],
    ['shares above 100 %', spread('a', of('80%', '40%')), 'spec.subsets[1].maxReplicas'],
    ['a share that is no number', spread('a', of('many%', '40%')), 'spec.subsets[0].maxReplicas'],
    ['two subsets of one name', spread('a', [{ name: 'x' }, { name: 'x' }]), 'spec.subsets[1].name'],
    ['no subset', spread('a', []), 'spec.subsets'],
    ['a DaemonSet', spread('a', of(2), { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' }), 'spec.targetRef'],
    [
      'a Deployment of another group',
      spread('a', of(2), { apiVersion: 'batch/v1', kind: 'Deployment', name: 'web' }),
      'spec.targetRef',
    ],
  ])('refuses %s, with the field', async (_case, draft, field) => {
    const { code, status } = await refusal(draft)
    expect(code).toBe(422)
    expect(status.details?.causes?.map((cause) => cause.field)).toContain(field)
  })

  test('refuses a second spread of one workload, in any version of it, and admits it in another namespace', async () => {
    await env.client.create(spreadKind, spread('a', of('20%', '80%')))
    expect((await refusal(spread('b', of(1), { ...TARGET, apiVersion: 'apps.kruise.io/v1beta1' }))).message).toMatch(
      /spec\.targetRef: .*conflict with other WorkloadSpread a/,
    )
    await env.createNamespace('shop')
    const elsewhere = spread('b', of(1))
    await env.client.create(spreadKind, { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'shop' } })
  })

  test('looks at changes of the spec, and at nothing else', async () => {
    await env.client.create(spreadKind, spread('a', of('20%', '80%')))
    const patch = (value: object) =>
      env.client.patch(spreadKind, { namespace: 'default', name: 'a' }, { type: 'merge', value })
    await patch({ metadata: { labels: { team: 'shop' } } })
    await expect(patch({ spec: { subsets: of('20%', '70%') } })).rejects.toThrow('must equal 100%')
    await expect(patch({ spec: { targetRef: { ...TARGET, name: 'api' } } })).rejects.toThrow(
      'change TargetReference is not permitted',
    )
  })
})
