/** What an Idempotency-Key names, the API server itself refuses to create twice. */
import { expect, test } from 'vitest'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { Draft } from '@/lib/kube/object'
import type { WorkloadRebalancer } from '@/lib/kube/kinds'
import { startEnv } from '@/server/testing/start-env'
import { createOnce, type Naming, REQUEST_ANNOTATION } from './create-rebalancer'

test('the same request under the same key answers with the first object, another one is refused, and without a key each makes its own', async () => {
  const env = await startEnv()
  try {
    const { client, clock } = env
    const draft = ({ name, fingerprint = '' }: Naming): Draft<WorkloadRebalancer> => ({
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name, annotations: { [REQUEST_ANNOTATION]: fingerprint } },
      spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }] },
    })
    const writer = {
      create: (naming: Naming) => client.create(workloadRebalancer, draft(naming)),
      get: (name: string) => client.get(workloadRebalancer, { name }),
    }
    const deps = { clock, random: Math.random }
    const once = (keyed?: { id: string; fingerprint: string }) => createOnce(deps, keyed ? { keyed } : {}, writer)
    const first = await once({ id: 'key-1', fingerprint: 'f' })
    expect((await once({ id: 'key-1', fingerprint: 'f' })).metadata.uid).toBe(first.metadata.uid)
    await expect(once({ id: 'key-1', fingerprint: 'g' })).rejects.toMatchObject({
      status: 422,
      reason: 'IdempotencyKeyReused',
    })
    expect((await once({ id: 'key-2', fingerprint: 'f' })).metadata.name).not.toBe(first.metadata.name)
    await Promise.all([once(), once()])
    expect((await client.list(workloadRebalancer)).items).toHaveLength(4)
  } finally {
    await env.close()
  }
})
