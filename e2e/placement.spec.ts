import type { Locator, Page } from '@playwright/test'
import { aggregated, workload } from './scenarios/members'
import { findingsInBoth } from './support/axe'
import { expectRequested } from './support/binding'
import { CORE, expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import type { Kubectl } from './support/kubectl'
import { say } from './support/say'
import { expectNoSidewaysScroll } from './support/sideways'

interface Target {
  name: string
  replicas?: number
}

/** The placement of a workload, as kubectl reads it. */
async function placed(kubectl: Kubectl, name: string): Promise<Record<string, number>> {
  const binding = await kubectl.json<{ spec: { clusters?: Target[] } }>([
    'get',
    'resourcebinding',
    `${name}-deployment`,
    '-n',
    'default',
  ])
  return Object.fromEntries((binding.spec.clusters ?? []).map((one) => [one.name, one.replicas ?? 0]))
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0)

/** The picture's figures of each cluster with replicas, before or after the edit. */
async function drawn(picture: Locator, what: 'now' | 'after'): Promise<Record<string, number>> {
  const pairs = await picture
    .getByTestId('lab-cluster')
    .evaluateAll(
      (rows, name) => rows.map((row) => [row.getAttribute('data-cluster'), Number(row.getAttribute(name))] as const),
      `data-${what}`,
    )
  return Object.fromEntries(pairs.filter(([, count]) => count > 0))
}

/** Three members, and `web` with five replicas in as few of them as hold it. */
async function startFleet(kubectl: Kubectl): Promise<void> {
  const names = ['member1', 'member2', 'member3']
  await startMembers(kubectl, ...names.map((name) => [name, { nodes: 2, cpu: 4 }] as const))
  await kubectl.apply(workload({ name: 'web', replicas: 5, cpu: '1', placement: aggregated }))
  await expect.poll(async () => sum(await placed(kubectl, 'web').catch(() => ({})))).toBe(5)
  await expectRequested(kubectl, 5)
}

async function openLab(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/policies`)
  await page.getByRole('link', { name: 'web', exact: true }).click()
  await page.getByRole('tab', { name: say()('policies.view.lab') }).click()
  await expect(page.getByTestId('lab-picture')).toBeVisible()
}

const divide = (page: Page, division: 'Dynamic' | 'Duplicated' | 'Aggregated') =>
  page.getByLabel(say()('policies.form.division'), { exact: true }).selectOption(division)

const answerOfServer = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/placement-previews'))

/** Notes every appearance of the warning that the server places a workload differently, however short. */
async function watchDiffering(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = { differing: 0 }
    const look = () => {
      if (document.querySelector('[data-testid=lab-differs]') !== null) seen.differing += 1
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
    Object.assign(window, { seen })
  })
  return () => page.evaluate(() => (window as unknown as { seen: { differing: number } }).seen.differing)
}

test(
  'an edit of the placement is previewed, saved and rebalanced, and lands exactly as previewed',
  { tag: CORE },
  async ({ kubectl, page, product }) => {
    await startFleet(kubectl)
    const before = await placed(kubectl, 'web')
    await page.goto(`${product.url}/policies`)
    const row = page.locator('[data-policy="default/web"]')
    await expect(row).toHaveAttribute('data-replicas', '5')

    const first = answerOfServer(page)
    await openLab(page, product.url)
    const picture = page.getByTestId('lab-picture')
    await expect.poll(() => drawn(picture, 'now')).toEqual(before)
    await first
    const differing = await watchDiffering(page)
    const text = say()
    const second = answerOfServer(page)
    await divide(page, 'Dynamic')
    await expect(page.getByTestId('lab-headline')).not.toHaveAttribute('data-moved', '0')
    await second
    const after = await drawn(picture, 'after')
    expect(sum(after)).toBe(5)
    expect(Object.keys(after).length).toBeGreaterThan(Object.keys(before).length)
    const yaml = page.getByTestId('lab-yaml')
    await expect(yaml.locator('.cm-added').filter({ hasText: 'dynamicWeight' })).toHaveCount(1)
    await expect(yaml.getByRole('note', { name: /Aggregated/ })).toHaveCount(1)
    await expect(page.getByTestId('lab-headline')).toHaveAttribute('data-moved-by-saving', '0')
    expect(await findingsInBoth(page)).toEqual([])
    // An answer to the document before the edit is none to this one.
    expect(await differing()).toBe(0)

    await page.getByRole('button', { name: text('policies.lab.save') }).click()
    await expect(page.getByTestId('dry-run')).toHaveAttribute('data-ok', 'true')
    await expect(page.getByTestId('policy-diff')).toContainText('dynamicWeight')
    await page.getByTestId('save-policy').click()
    await expect(page.getByTestId('dry-run')).toBeHidden()
    const stored = [
      'get',
      'propagationpolicy',
      'web',
      '-o',
      'jsonpath={.spec.placement.replicaScheduling.weightPreference.dynamicWeight}',
    ]
    expect(await kubectl.run(stored)).toBe('AvailableReplicas')
    // The binding follows the policy, and no replica moves by that.
    const ofBinding = [
      'get',
      'resourcebinding',
      'web-deployment',
      '-o',
      'jsonpath={.spec.placement.replicaScheduling.replicaDivisionPreference}',
    ]
    await expect.poll(() => kubectl.run(ofBinding)).toBe('Weighted')
    expect(await placed(kubectl, 'web')).toEqual(before)

    await expect(page.getByRole('button', { name: text('policies.lab.undo') })).toBeVisible()
    await page.getByRole('button', { name: text('policies.lab.rebalance') }).click()
    // The choice is in the address, so the click shows a moment later.
    const atOnce = page.getByRole('radio', { name: text('plan.form.atOnce') })
    await atOnce.click()
    await expect(atOnce).toBeChecked()
    await expect(page.getByTestId('apply-plan')).toBeEnabled()
    await page.getByTestId('apply-plan').click()
    await expect.poll(() => placed(kubectl, 'web'), { timeout: 30_000 }).toEqual(after)
  },
)

test('an invalid document keeps the last picture, and a change of another client is shown before it is replaced', async ({
  kubectl,
  page,
  product,
}) => {
  await startFleet(kubectl)
  await openLab(page, product.url)
  const text = say()
  await divide(page, 'Dynamic')
  const picture = page.getByTestId('lab-picture')
  let good: Awaited<ReturnType<typeof drawn>> = {}
  await expect(async () => {
    good = await drawn(picture, 'after')
    expect(Object.keys(good)).toEqual(['member1', 'member2', 'member3'])
  }).toPass()

  // By keyboard alone: into the editor, to its end, and out of it.
  await page.getByRole('textbox', { name: /YAML/ }).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('nope: }')
  await expect(page.getByTestId('lab-invalid')).toBeVisible()
  await expect(picture).toHaveAttribute('data-stale', 'true')
  await expect(page.getByTestId('lab-saving')).toHaveText(text('policies.form.invalid'))
  expect(await drawn(picture, 'after')).toEqual(good)
  for (const _ of 'nope: }') await page.keyboard.press('Backspace')
  await expect(picture).toHaveAttribute('data-stale', 'false')

  await kubectl.run(['patch', 'propagationpolicy', 'web', '--type=merge', '-p', '{"spec":{"priority":7}}'])
  await page.getByRole('button', { name: text('policies.lab.save') }).click()
  await page.getByTestId('save-policy').click()
  await expect(page.getByTestId('save-conflict')).toContainText('priority: 7')
  expect(await kubectl.run(['get', 'propagationpolicy', 'web', '-o', 'jsonpath={.spec.priority}'])).toBe('7')
  await page.getByRole('button', { name: text('policies.save.replace') }).click()
  await page.getByTestId('save-policy').click()
  await expect.poll(() => kubectl.run(['get', 'propagationpolicy', 'web', '-o', 'jsonpath={.spec.priority}'])).toBe('0')

  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
})

/** A Deployment that no policy selects. */
const UNCLAIMED = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: api, namespace: default, labels: { app: api } }
spec:
  replicas: 4
  selector: { matchLabels: { app: api } }
  template:
    metadata: { labels: { app: api } }
    spec: { containers: [{ name: app, image: "nginx:1.27", resources: { requests: { cpu: 500m } } }] }
`

test('a new policy shows its workloads and their placement, and is created as shown', async ({
  kubectl,
  page,
  product,
}) => {
  await startFleet(kubectl)
  await kubectl.apply(UNCLAIMED)
  const text = say()
  await page.goto(`${product.url}/policies`)
  await page.getByRole('link', { name: text('policies.new.open') }).click()
  const counts = page.getByTestId('selection-counts')
  await expect(counts).toHaveAttribute('data-claims', '1')
  await expect(counts).toHaveAttribute('data-other', '1')
  const claimed = page.locator('[data-testid="selected-row"][data-state="other"]')
  await expect(claimed).toHaveAttribute('data-owner', 'default/web')
  await expect(claimed).toContainText(text('policies.owner.closer', { how: 'name' }))

  // An existing name is refused before a request is sent.
  await page.getByLabel(text('policies.new.name'), { exact: true }).fill('web')
  await expect(page.getByTestId('policy-exists')).toBeVisible()
  await expect(page.getByRole('button', { name: text('policies.lab.save') })).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabel(text('policies.new.name'), { exact: true }).fill('api-everywhere')
  await page.getByLabel(text('policies.new.selector.name'), { exact: true }).fill('api')
  await divide(page, 'Dynamic')
  await expect(counts).toHaveAttribute('data-other', '0')
  await expect(page.getByTestId('lab-total')).toHaveAttribute('data-after', '4')
  const shown = await drawn(page.getByTestId('lab-picture'), 'after')
  expect(sum(shown)).toBe(4)
  expect(await findingsInBoth(page)).toEqual([])

  await page.getByRole('button', { name: text('policies.lab.save') }).click()
  await expect(page.getByTestId('dry-run')).toHaveAttribute('data-ok', 'true')
  // The dry run stored nothing.
  expect(await kubectl.run(['get', 'propagationpolicies', '-o', 'name'])).not.toContain('api-everywhere')
  await page.getByTestId('save-policy').click()
  await expect(page).toHaveURL(/policies\/detail\?id=default\/api-everywhere/)
  const { spec } = await kubectl.json<{ spec: { resourceSelectors: object[] } }>([
    'get',
    'propagationpolicy',
    'api-everywhere',
  ])
  expect(spec.resourceSelectors).toMatchObject([{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' }])
  await expect.poll(() => placed(kubectl, 'api').catch(() => ({}))).toEqual(shown)

  await page.goto(`${product.url}/policies/new`)
  await page.setViewportSize({ width: 390, height: 844 })
  // The error of admission is shown: a preempting policy must select by name.
  await page.getByLabel(text('policies.new.preemption'), { exact: true }).selectOption('Always')
  await page.getByRole('button', { name: text('policies.lab.save') }).click()
  await expect(page.getByTestId('dry-run')).toContainText('resourceSelectors[0].name')
  await page.getByRole('button', { name: text('policies.save.cancel') }).click()
  await page.getByLabel(text('policies.new.scope'), { exact: true }).selectOption('cluster')
  await expect(page.getByTestId('lab-yaml')).toContainText('ClusterPropagationPolicy')
  await expectNoSidewaysScroll(page)
})
