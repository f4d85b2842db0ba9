/** A control plane with one simulated member, for tests of its contents. */
import { expect } from 'vitest'
import { cluster as clusterKind, node as nodeKind } from '@/lib/kube/kinds'
import { SIM_NODES, SIM_READY_AFTER } from '@/lib/kube/simulation'
import type { KubeClient } from '@/server/kube/client'
import { type Fault, withFaults } from '@/server/testing/faulty-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { memberSimulation } from '..'

export interface TestMember {
  env: Env
  /** The member's own API. */
  client: KubeClient
  /** Changes annotations of its Cluster; null removes one. */
  annotate(annotations: Record<string, string | null>): Promise<void>
}

/**
 * Starts `m1` with two nodes on which pods are ready immediately, unless `annotations` say otherwise. The `faults`
 * apply to the member's controllers, not to the test.
 */
export async function startTestMember(
  annotations: Record<string, string> = {},
  ...faults: Fault[]
): Promise<TestMember> {
  const env = await startEnv()
  await env.run(...memberSimulation({ ...env.context(), client: withFaults(env.client, ...faults) }))
  const all = { [SIM_NODES]: '2', [SIM_READY_AFTER]: '0s', ...annotations }
  await env.createCluster('m1', { annotations: all })
  const client = env.client.member('m1')
  await env.eventually(async () => expect((await client.list(nodeKind)).items).toHaveLength(Number(all[SIM_NODES])))
  return {
    env,
    client,
    annotate: async (changes) => {
      await env.client.patch(
        clusterKind,
        { name: 'm1' },
        { type: 'merge', value: { metadata: { annotations: changes } } },
      )
    },
  }
}
