/** With login required: the login page, and the pages of a namespace administrator. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import type { Camera, Scene } from '../camera'
import { BOTH, EN_DARK } from '../looks'
import type { Stage } from '../stage'
import { createDemonstration, UNSEEDED } from './demonstration-fleet'
import { overview } from './ready'
import { OF_TENANT } from './states'
import { goOn, untilCounts } from './waits'

export const ACCESS_FLAGS = [UNSEEDED, '--login=required']

const refused = (page: Page) =>
  page.locator('[data-testid=empty-state], [data-testid=part-refused], [data-freshness=Refused]').first().waitFor()

const LOGIN: Scene = {
  name: 'login',
  title: 'Login',
  path: '/login',
  ready: (page) => page.locator('input').first().waitFor(),
  looks: [...BOTH, EN_DARK],
}

const TENANT: readonly Scene[] = [
  {
    name: 'overview-tenant',
    title: 'Overview of a tenant, whose totals cover one namespace',
    path: '/overview',
    ready: overview,
    looks: BOTH,
  },
  {
    name: 'rebalance-forbidden',
    title: 'Rebalance without the right to see it',
    path: '/rebalancers',
    ready: refused,
    looks: BOTH,
  },
  {
    name: 'workload-forbidden',
    title: 'A workload of another tenant',
    path: '/workloads/detail?id=apps~v1/Deployment/lab/training',
    ready: refused,
    looks: BOTH,
  },
]

export const ACCESS = [LOGIN, ...TENANT, ...OF_TENANT]

export async function walkAccess(
  stage: Stage,
  { visitors, camera }: { visitors: Camera; camera: Camera },
): Promise<void> {
  await createDemonstration(stage)
  await untilCounts(stage.kubectl, 'replicas', { 'shop/web': 6, 'shop/checkout': 8, 'lab/notebooks': 2 })
  await goOn(stage, '08:00:05')
  await goOn(stage, '09:10:00')
  await visitors.take(LOGIN)
  await camera.take(...TENANT, ...OF_TENANT)
}

/** As the administrator of the namespace `shop`. */
export async function logInAsTenant(stage: Stage, context: BrowserContext): Promise<void> {
  const token = readFileSync(join(stage.product.dataDir, 'shop-admin-token'), 'utf8').trim()
  const answer = await context.request.post(`${stage.url}/api/v1/session`, {
    data: { token },
    headers: { origin: stage.url },
  })
  if (!answer.ok()) throw new Error(`the login was refused: ${await answer.text()}`)
}
