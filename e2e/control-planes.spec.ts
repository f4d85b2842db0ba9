/** Two control planes with a console each: one leads to the same page of the other, with that one's login and data. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LoginPage } from './pages/login'
import { findings } from './support/axe'
import { expect, test } from './support/fixtures'
import { kubectlFor } from './support/kubectl'
import { startProduct } from './support/product'
import { say } from './support/say'

test.use({ flags: ['--no-demo', '--login=required'] })

const policy = (name: string) => `apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: ${name}}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  placement: {clusterAffinity: {clusterNames: [member1]}}
`

test('a user switches to another control plane, logs in there, and is on the same page', async ({
  page,
  product: production,
  kubectl,
}) => {
  const staging = await startProduct({ flags: ['--no-demo', `--control-planes=production=${production.url},staging`] })
  await kubectl.apply(policy('only-production'))
  await kubectlFor(staging.kubeconfig).apply(policy('only-staging'))

  await page.goto(`${staging.url}/policies`)
  const planes = page.getByRole('list', { name: say()('shell.controlPlanes') })
  await expect(planes.locator('[aria-current=true]')).toHaveText('staging')
  await expect(page.getByRole('link', { name: 'only-staging' })).toBeVisible()
  expect(await findings(page)).toEqual([])

  await planes.getByRole('link', { name: 'production' }).click()
  const login = new LoginPage(page)
  await login.expectOpen()
  await login.logIn(readFileSync(join(production.dataDir, 'admin-token'), 'utf8').trim())
  await page.waitForURL(`${production.url}/policies`)
  await expect(page.getByRole('link', { name: 'only-production' })).toBeVisible()
  await expect(page.getByText('only-staging')).toHaveCount(0)
})
