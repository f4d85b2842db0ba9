/** Pages that are still loading, and pages whose server went away. */
import type { Page, WebSocketRoute } from '@playwright/test'
import type { Scene } from '../camera'
import { BOTH, EN, EN_DARK } from '../looks'
import { live } from './ready'

/** Requests of pages get no response. */
export async function withoutAnswers(page: Page): Promise<void> {
  await page.routeWebSocket(/./, () => undefined)
  await page.route('**/api/**', () => undefined)
}

/** The outline of this page, not yet that of any page. */
const outline = async (page: Page) => {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByTestId('skeleton').first().waitFor()
}

/** A live page after its server stopped. */
export function afterLive(shown: string): Pick<Scene, 'before' | 'ready'> {
  const connections = new WeakMap<Page, () => Promise<void>>()
  return {
    before: async (page) => {
      let isCut = false
      // A page that connects a second time may still hold its first socket.
      const open: Pick<WebSocketRoute, 'close'>[] = []
      await page.routeWebSocket(/./, (socket) => {
        if (isCut) return void socket.close()
        open.push(socket, socket.connectToServer())
      })
      connections.set(page, async () => {
        isCut = true
        // The path of the stream, too: where no websocket came about, it is polled.
        await page.route(/\/(api|live)\//, (route) => route.abort())
        await Promise.all(open.map((each) => each.close()))
      })
    },
    ready: async (page) => {
      await live(page)
      await page.getByTestId(shown).first().waitFor()
      await connections.get(page)?.()
      await page.locator('[data-freshness=Offline]').waitFor()
    },
  }
}

export const CONNECTIONS: readonly Scene[] = [
  {
    name: 'overview-loading',
    title: 'Overview, loading',
    path: '/overview',
    before: withoutAnswers,
    ready: outline,
    looks: [...BOTH, EN_DARK],
  },
  {
    name: 'fleet-loading',
    title: 'Workloads, loading',
    path: '/fleet',
    before: withoutAnswers,
    ready: outline,
    looks: [EN],
  },
  {
    name: 'queues-loading',
    title: 'Queues, loading',
    path: '/queues',
    before: withoutAnswers,
    ready: outline,
    looks: [EN],
  },
  {
    name: 'overview-stale',
    title: 'Overview, as it was before the server went away',
    path: '/overview',
    ...afterLive('day-chart'),
    looks: [...BOTH, EN_DARK],
  },
  {
    name: 'fleet-stale',
    title: 'Workloads, as they were before the server went away',
    path: '/fleet',
    ...afterLive('workload-row'),
    looks: [EN],
  },
]
