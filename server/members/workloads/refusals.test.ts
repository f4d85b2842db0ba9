/** What a member's own API refuses to its controllers. */
import { expect, test } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { deployment as deploymentKind, pod as podKind } from '@/lib/kube/kinds'
import { aDeployment } from '@/lib/testing/builders'
import { startTestMember } from '../testing/start-member'

test('a Deployment whose pods are refused says so, until they are not any more', async () => {
  let refusing = true
  const refuse = (): void => {
    if (refusing) throw kubeError(403, 'Forbidden', 'pods "web" is forbidden: exceeded quota: tight')
  }
  const { env, client } = await startTestMember({}, { verb: 'create', kind: podKind, times: Infinity, before: refuse })
  try {
    await client.create(deploymentKind, aDeployment('web', { replicas: 2 }))
    const read = async () => (await client.get(deploymentKind, { namespace: 'default', name: 'web' })).status
    const failure = {
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedCreate',
      message: 'pods "web" is forbidden: exceeded quota: tight',
    }
    await env.eventually(async () =>
      expect((await read())?.conditions).toContainEqual(expect.objectContaining(failure)),
    )
    refusing = false
    await env.eventually(async () => {
      const { conditions = [], availableReplicas } = (await read()) ?? {}
      expect(availableReplicas).toBe(2)
      expect(conditions.map(({ type, status }) => `${type}=${status}`)).toEqual(['Available=True', 'Progressing=True'])
    })
  } finally {
    await env.close()
  }
})
