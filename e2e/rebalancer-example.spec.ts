import { waitUntilScheduled } from './support/binding'
import { expect, test } from './support/fixtures'

test.use({ flags: [] })

interface Rebalancer {
  metadata: { generation: number }
  status?: { observedWorkloads?: unknown[]; observedGeneration?: number; finishTime?: string }
}

const target = (apiVersion: string, kind: string, name: string, namespace?: string) => ({
  apiVersion,
  kind,
  name,
  ...(namespace && { namespace }),
})

test('the example of the proposal ends with the statuses that it prints, in their order, and is deleted in its time', async ({
  kubectl,
}) => {
  await kubectl.run(['apply', '-f', 'e2e/scenarios/rebalance-example.yaml'])
  await waitUntilScheduled(kubectl, 'resourcebinding/demo-deploy-1-deployment')
  await waitUntilScheduled(kubectl, 'clusterresourcebinding/demo-role-clusterrole')
  expect(await kubectl.run(['apply', '-f', 'e2e/scenarios/rebalancer.yaml'])).toBe(
    'workloadrebalancer.apps.karmada.io/demo created\n',
  )
  await kubectl.run(['wait', 'workloadrebalancer/demo', '--for=jsonpath={.status.finishTime}', '--timeout=60s'])

  const { metadata, status } = await kubectl.json<Rebalancer>(['get', 'workloadrebalancer', 'demo'])
  expect(status?.observedGeneration).toBe(metadata.generation)
  expect(status?.observedWorkloads).toEqual([
    { result: 'Successful', workload: target('apps/v1', 'Deployment', 'demo-deploy-1', 'default') },
    {
      reason: 'ReferencedBindingNotFound',
      result: 'Failed',
      workload: target('apps/v1', 'Deployment', 'demo-deploy-2', 'default'),
    },
    { result: 'Successful', workload: target('rbac.authorization.k8s.io/v1', 'ClusterRole', 'demo-role') },
  ])

  await kubectl.run([
    'patch',
    'workloadrebalancer',
    'demo',
    '--type=merge',
    '-p',
    '{"spec":{"ttlSecondsAfterFinished":0}}',
  ])
  await expect
    .poll(async () => (await kubectl.tryRun(['get', 'workloadrebalancer', 'demo'])).stderr, { timeout: 60_000 })
    .toContain('not found')
})
