/** The pages of a namespace administrator: own objects, and the missing right for others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { CommandList } from './pages/commands'
import { LoginPage } from './pages/login'
import { queue, queued } from './scenarios/queues'
import { findingsInBoth } from './support/axe'
import { waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import type { Kubectl } from './support/kubectl'
import { overhear } from './support/overheard'
import type { Product } from './support/product'
import { say } from './support/say'

test.use({ flags: ['--login=required'] })

const OF_THE_OTHERS = `
apiVersion: evenkeel.io/v1alpha1
kind: RebalancePlan
metadata: { name: lab-secret-plan }
spec: { selection: { namespaces: [lab] } }
---
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: { name: lab-secret-rebalancer }
spec: { workloads: [{ apiVersion: apps/v1, kind: Deployment, name: lab-secret-job, namespace: lab }] }
`
const WAIT = { timeout: 30_000 }
/** A fault of one page must not hide those of the next. */
const each = expect.configure({ soft: true })
const KNOWN_JOB = 'apps~v1%2FDeployment%2Flab%2Fknown-job'
const WEB = 'apps~v1%2FDeployment%2Fshop%2Fweb'
/** Pods and nodes of a cluster are read there, as the user. */
const NO_PROXY = /clusters\/proxy/

interface TenantPage {
  path: string
  /** A required sentence. */
  says: RegExp
  /** Buttons that must be off. */
  off?: readonly string[]
  /** It has totals, with their scope. */
  totals?: boolean
  /** Nothing in it depends on its reader, so that accessibility.spec.ts has checked what this tenant sees. */
  sameForAll?: boolean
}

/** Each part is a test of its own, so that they run side by side. */
const PAGES: Readonly<Record<string, readonly TenantPage[]>> = {
  'of own workloads and their failovers': [
    { path: '/overview', says: /replicas ready/, totals: true },
    { path: '/fleet', says: /workloads? · .*clusters/, totals: true },
    { path: '/fleet?view=heat', says: /workloads? · .*clusters/, totals: true },
    { path: '/fleet?sel=apps~v1/Deployment/shop/web', says: /1 workload selected/, off: ['Rebalance…'] },
    { path: '/fleet?sel=apps~v1/Deployment/shop/web&plan=rebalance', says: /same distribution|move/, off: ['Apply'] },
    { path: '/workloads', says: /checkout/, totals: true },
    { path: `/workloads/detail?id=${WEB}`, says: /Placement/, off: ['Rebalance…'] },
    { path: `/workloads/detail?id=${WEB}&view=pods`, says: NO_PROXY, off: ['Rebalance…'] },
    { path: `/workloads/detail?id=${WEB}&tab=evictions`, says: /Placement/, off: ['Rebalance…'] },
    { path: `/workloads/detail?id=${KNOWN_JOB}`, says: /You cannot view this workload.*may not list/s },
    { path: '/failover', says: /No failovers in progress/, totals: true },
    { path: '/failover?show=history', says: /No failovers in the last 24 hours/ },
    { path: '/failover?action=drain&in=member1', says: /Drain cluster: member1/, off: ['Drain cluster'] },
  ],
  'of queues and rebalances': [
    { path: '/queues', says: /shop\/line/, totals: true },
    { path: '/queues?view=lanes', says: /shop\/\s*line/ },
    { path: '/queues/detail?queue=shop/line', says: /shop\/line/, off: ['Delete…'] },
    { path: '/queues/detail?queue=lab/lab', says: /may not list/ },
    {
      path: '/rebalancers',
      says: /You cannot view rebalancers.*rebalanceplans.*workloadrebalancers/s,
      off: ['New rebalance…'],
    },
    { path: '/rebalancers/new?ns=shop', says: /You may not create rebalanceplans/, off: ['Preview plan'] },
    { path: '/rebalancers/plan?name=known-plan', says: /You cannot view plans.*rebalanceplans/s },
    { path: '/rebalancers/detail?name=known-rebalancer', says: /You cannot view rebalancers.*workloadrebalancers/s },
  ],
  'of clusters, policies and the control plane': [
    { path: '/clusters', says: /member1/, totals: true },
    { path: '/clusters?cluster=member1', says: /Workloads here/, off: ['Drain…'] },
    { path: '/clusters/detail?name=member1', says: NO_PROXY, off: ['Drain…', 'Cordon'] },
    { path: '/clusters/what-if', says: /member1/, totals: true },
    { path: '/clusters/what-if?cluster=member1', says: /would move/ },
    { path: '/policies', says: /checkout/ },
    { path: '/policies/detail?id=shop/search', says: /search/ },
    { path: '/policies/detail?id=shop/search&view=lab', says: /search/ },
    // An existing object and a missing one: the responses must be the same.
    { path: '/policies/detail?id=lab/everything', says: /doesn’t exist, or you don’t have permission to view it/ },
    { path: '/policies/detail?id=lab/nothing', says: /doesn’t exist, or you don’t have permission to view it/ },
    { path: '/rehearsals', says: /runs on a copy of what you may read/ },
    { path: '/rehearsals/run?id=nothing', says: /Rehearsal not found/ },
    { path: '/spread', says: /spread/i },
    { path: '/spread?id=shop/delivery-pools', says: /delivery-pools/ },
    { path: '/activity', says: /Activity/ },
    { path: '/control-plane', says: /Kinds: \d+ of \d+/ },
    { path: '/api-reference', says: /API/, sameForAll: true },
  ],
}

/** While a cluster is down. */
const DURING: readonly TenantPage[] = [
  { path: '/overview', says: /member1 is not ready/, totals: true },
  { path: '/failover', says: /member1/, totals: true },
  { path: '/failover/incident?cluster=member1', says: /Only workloads that you can view are counted/ },
  { path: '/failover/incident?cluster=member1&view=table', says: /checkout/ },
  { path: '/fleet?view=heat', says: /1 cluster not ready/, totals: true },
]

/** Controls that need no permission, because they only show or arrange. Every other enabled control needs one. */
const HARMLESS = new RegExp(
  `^(${[
    '',
    'Search or run.*',
    'Current user.*',
    'Keyboard shortcuts',
    'Theme',
    'Language',
    'Close',
    'Cancel',
    'Group',
    'Live.*',
    'Reconnecting.*',
    'Unavailable.*',
    '(Pause|Resume) live updates',
    'Clear.*',
    '\\+.*idle.*',
    'Compute again',
    'Copy.*',
    'Hide .*',
    'Show .*',
    'Select.*',
    'Open .*',
    'Try again',
    'Export.*',
    'Saved views',
    '(Comfortable|Dense|Name)',
    '(CPU|Memory|Pods)',
    'kubectl commands',
    '.*: stays',
    'Report.*',
    'Play',
    'Replay.*',
    '(Previous|Next) event',
    'To the end',
    '(Pairs|Regions|Zones|Picture|Table)',
    // A rehearsal needs no right but to read: it runs on a copy.
    'Run rehearsal',
    '(Add|Remove) (step|assertion).*',
    'Remove .* from this row',
    '.* fails?: .*',
    '.*\\d+ workloads?',
  ].join('|')})$`,
)
/** Rights of the namespace administrator. */
const GRANTED =
  /^(Hold queue shop\/line…|Hold…|Resume…|Edit…|New queue…|Admit .*|Priority class of .*|Suspend scheduling…)$/

async function settle(page: Page): Promise<void> {
  await expect(page.locator('main').first()).toBeVisible(WAIT)
  await expect(page.getByTestId('skeleton')).toHaveCount(0, WAIT)
  await expect(page.locator('[data-freshness=Connecting], [data-freshness=Reconnecting]')).toHaveCount(0, WAIT)
}

/** Names of enabled buttons, except for those that sort a table or show all of a cut text. */
async function pressable(page: Page): Promise<string[]> {
  const off =
    '[aria-disabled=true], :disabled, [role=checkbox], [role=tab], th *, [role=columnheader] *, [data-testid=topology] *, [data-cut-text]'
  const buttons = page.locator(`button:visible:not(${off})`)
  const names = await buttons.evaluateAll((all) =>
    all.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
  )
  return names.map((name) => name.replaceAll(/\s+/g, ' ').trim())
}

type Visit = (one: TenantPage) => Promise<void>

/** Logs in as the tenant, looks at pages as `look` asks, and expects that nothing was sent of other tenants. */
async function asTenant(
  { page, product, kubectl }: { page: Page; product: Product; kubectl: Kubectl },
  look: (visit: Visit) => Promise<void>,
): Promise<void> {
  // Some seconds a page, and there are many.
  test.setTimeout(900_000)
  await kubectl.apply(queue('shop', 'line', '{ quota: { hard: { cpu: "64" } } }'))
  await kubectl.apply(queued({ namespace: 'lab', name: 'lab-secret-job', cpu: '100m' }))
  await kubectl.apply(OF_THE_OTHERS)
  const heard = overhear(page)
  await page.goto(`${product.url}/fleet`)
  await new LoginPage(page).logIn(readFileSync(join(product.dataDir, 'shop-admin-token'), 'utf8').trim())
  await expect(page.locator('[data-freshness=Live]')).toBeVisible(WAIT)
  await look((one) => test.step(one.path, () => expectForTenant(page, product.url, one)))
  const all = await heard()
  expect(all).toContain('checkout')
  expect(all.match(/.{0,80}lab-secret.{0,40}/)?.[0]).toBeUndefined()
}

/** The page serves the tenant, and offers only permitted actions. */
async function expectForTenant(
  page: Page,
  url: string,
  { path, says, off = [], totals = false, sameForAll = false }: TenantPage,
): Promise<void> {
  await page.goto(`${url}${path}`)
  await settle(page)
  await each(page.locator('body')).toContainText(says, { ...WAIT, useInnerText: true })
  if (totals) await each(page.getByTestId('coverage')).toBeVisible(WAIT)
  for (const name of off) {
    const button = page.getByRole('button', { name, exact: true }).last()
    await each(button).toHaveAttribute('aria-disabled', 'true', WAIT)
    await each(button).toHaveAccessibleDescription(/^You may not (create|patch|delete) /)
  }
  const isFine = (name: string) => HARMLESS.test(name) || GRANTED.test(name)
  const questionable = async () => (await pressable(page)).filter((name) => !isFine(name))
  await each.poll(questionable, WAIT).toEqual([])
  if (!sameForAll) each(await findingsInBoth(page), path).toEqual([])
}

for (const [pages, all] of Object.entries(PAGES))
  test(`the pages ${pages} serve a tenant, name no other, and offer only permitted actions`, async ({
    page,
    product,
    kubectl,
  }) => {
    await asTenant({ page, product, kubectl }, async (visit) => {
      for (const one of all) await visit(one)
    })
  })

test('the command list, the notices and an incident serve a tenant and name no other', async ({
  page,
  product,
  kubectl,
}) => {
  await asTenant({ page, product, kubectl }, async (visit) => {
    await test.step('the command list finds own objects, and names the kinds it could not search', async () => {
      const commands = new CommandList(page)
      await page.goto(`${product.url}/workloads/detail?id=${WEB}`)
      await settle(page)
      await commands.open()
      await commands.field.fill('e')
      const what = (['plan', 'rebalancer', 'spread'] as const).map((each) => say()(`common.plural.${each}`))
      const notSearched = say()('shell.commands.notSearched', { what })
      await expect(commands.dialog).toContainText(notSearched, WAIT)
      await expect(commands.option(/^shop\/checkout/).first()).toBeVisible(WAIT)
      const plan = commands.option(say()('workload.rebalanceThis'))
      await expect(plan).toContainText(
        say()('access.missing', { verb: 'create', kind: 'rebalanceplans.evenkeel.io', namespace: '', scope: 'all' }),
      )
    })
    await test.step('notices are set without any right', async () => {
      await page.goto(`${product.url}/failover`)
      await settle(page)
      await page.getByTestId('user').click()
      await page.getByRole('button', { name: say()('notices.settings.open') }).click()
      await expect(page.getByTestId('notice-settings')).toBeVisible()
    })
    await kubectl.takeDown('member1')
    await waitForCluster(kubectl, 'member1', false)
    for (const one of DURING) await visit(one)
    await test.step('an incident contains own workloads only', async () => {
      await page.goto(`${product.url}/failover/incident?cluster=member1&view=table`)
      await expect(page.locator('body')).toContainText('shop/checkout', { ...WAIT, useInnerText: true })
      await expect(page.locator('main')).not.toContainText('lab/')
    })
  })
})
