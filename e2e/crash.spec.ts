import { dynamicWeight, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { kubectlFor } from './support/kubectl'
import { startProduct } from './support/product'

interface BindingList {
  items: {
    metadata: { name: string }
    spec: { rescheduleTriggeredAt?: string }
    status?: { lastScheduledTime?: string }
  }[]
}

const names = Array.from({ length: 30 }, (_, index) => `app-${String(index).padStart(2, '0')}`)

const rebalancer = `
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: { name: all }
spec:
  workloads:
${names.map((name) => `  - { apiVersion: apps/v1, kind: Deployment, namespace: default, name: ${name} }`).join('\n')}
`

test('a rebalance interrupted by kill -9 is finished after the next start, without loss of acknowledged writes', async ({
  product,
  kubectl,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(names.map((name) => workload({ name, replicas: 2, placement: dynamicWeight })).join(''))
  const bindings = (client = kubectl) => client.json<BindingList>(['get', 'resourcebindings'])
  await expect
    .poll(async () => (await bindings()).items.filter((binding) => binding.status?.lastScheduledTime).length, {
      timeout: 90_000,
    })
    .toBe(names.length)

  await kubectl.apply(rebalancer)
  await product.kill()

  const again = await startProduct({ dataDir: product.dataDir, flags: ['--no-demo'] })
  try {
    const after = kubectlFor(again.kubeconfig)
    await after.run(['wait', 'workloadrebalancer/all', '--for=jsonpath={.status.finishTime}', '--timeout=90s'])
    await expect
      .poll(
        async () =>
          (await bindings(after)).items.filter(
            ({ spec, status }) =>
              spec.rescheduleTriggeredAt
              && status?.lastScheduledTime
              && status.lastScheduledTime >= spec.rescheduleTriggeredAt,
          ).length,
        { timeout: 90_000 },
      )
      .toBe(names.length)
    expect((await after.json<{ items: unknown[] }>(['get', 'deployments'])).items).toHaveLength(names.length)
  } finally {
    await again.stop()
  }
})

test('a second start on the same data directory fails and leaves the first alone', async ({ product, kubectl }) => {
  await expect(startProduct({ dataDir: product.dataDir })).rejects.toThrow(/already|in use/i)
  expect(await kubectl.run(['get', 'namespace', 'default'])).toContain('Active')
})
