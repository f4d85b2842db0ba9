/** A control plane without anything, as after the first start beside an own Karmada. */
import type { Page } from '@playwright/test'
import type { Scene } from '../camera'
import { BOTH, EN, EN_DARK, EN_PHONE } from '../looks'
import { live } from './ready'

export const EMPTY_FLAGS = ['--no-demo']

const settled = async (page: Page): Promise<void> => {
  await live(page)
  await page.getByTestId('skeleton').first().waitFor({ state: 'detached' })
}

export const EMPTY: readonly Scene[] = [
  {
    name: 'first-run',
    title: 'The first start',
    path: '/overview',
    ready: (page) => page.getByTestId('first-run').waitFor(),
    looks: [...BOTH, EN_DARK, EN_PHONE],
  },
  { name: 'fleet-empty', title: 'Workloads, none yet', path: '/fleet', ready: settled, looks: [EN] },
  { name: 'clusters-empty', title: 'Clusters, none yet', path: '/clusters', ready: settled, looks: [EN] },
  { name: 'queues-empty', title: 'Queues, none yet', path: '/queues', ready: settled, looks: [EN] },
  { name: 'policies-empty', title: 'Placement policies, none yet', path: '/policies', ready: settled, looks: [EN] },
]
