/** Objects that a controller skips or fails on: named on the Control plane page, in events and metrics, until they change. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dynamicWeight, workload } from './scenarios/members'
import { expectPlaced, scheduledTo } from './support/binding'
import { findings } from './support/axe'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { kubectlFor } from './support/kubectl'
import { startProduct } from './support/product'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }

/** Divides replicas of a kind by a script that fails. */
const broken = `
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: { name: settings }
spec:
  target: { apiVersion: v1, kind: ConfigMap }
  customizations:
    replicaResource: { luaScript: 'function GetReplicas(o) error("no replicas in " .. o.metadata.name) end' }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: default }
data: { size: "4" }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: settings, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: ConfigMap, name: settings }]
  placement: { clusterAffinity: {} }
---`

test('objects that crashed the process or that fail again and again are listed with reason and remedy', async ({
  product,
  kubectl,
  page,
}) => {
  const text = say()
  await startMembers(kubectl, 'member1')
  await kubectl.apply(['web', 'shop'].map((name) => workload({ name, replicas: 2, placement: dynamicWeight })).join(''))
  for (const name of ['web', 'shop']) await expectPlaced(kubectl, name, { member1: 2 })
  await kubectl.apply(broken)
  await product.kill()
  // As two crashes leave it, each while this key alone was reconciled.
  const crashes = { 'binding:ResourceBinding/default/web-deployment': 2 }
  writeFileSync(join(product.dataDir, 'suspects.json'), JSON.stringify(crashes))
  const again = await startProduct({
    dataDir: product.dataDir,
    flags: ['--no-demo', '--skip-objects=binding:default/shop-deployment'],
  })
  const after = kubectlFor(again.kubeconfig)
  await page.goto(`${again.url}/control-plane`)
  const row = (controller: string, name: string) =>
    page.getByTestId('failing-objects').locator(`[data-controller=${controller}][data-object="${name}"]`)
  const crashed = row('binding', 'default/web-deployment')

  await test.step('the page names object, controller, reason and what to do; events and metrics agree', async () => {
    await expect(crashed).toContainText(text('controlPlane.skipped'), WAIT)
    await expect(crashed).toContainText('ResourceBinding')
    await expect(crashed).toContainText('died 2 times')
    const named = row('binding', 'default/shop-deployment')
    await expect(named).toContainText(text('controlPlane.afterRestart'), WAIT)
    await expect(row('detector', 'default/settings')).toContainText('no replicas in settings', WAIT)
    await expect(page.getByText(text('controlPlane.failingMeaning'))).toBeVisible()
    const described = () => after.run(['describe', 'resourcebinding', 'web-deployment'])
    await expect.poll(described, WAIT).toMatch(/ReconcileSkipped .*died 2 times/)
    const metrics = async () => (await page.request.get(`${again.url}/metrics`)).text()
    await expect.poll(metrics, WAIT).toMatch(/^evenkeel_quarantined_objects\{controller="binding"\} 2$/m)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await findings(page, { serious: true })).toEqual([])
    }
  })

  await test.step('others go on, and a changed object is reconciled again', async () => {
    await after.run(['scale', 'deployment', 'shop', '--replicas=3'])
    await expect.poll(() => scheduledTo(after, 'shop-deployment'), WAIT).toEqual({ member1: 3 })
    expect(await scheduledTo(after, 'web-deployment')).toEqual({ member1: 2 })
    await after.run(['scale', 'deployment', 'web', '--replicas=3'])
    await expectPlaced(after, 'web', { member1: 3 })
    await expect(crashed).toHaveCount(0, WAIT)
    // The binding controller still skips what an operator named.
    expect(await after.runningPods('member1')).toMatchObject({ shop: 2, web: 3 })
  })
})
